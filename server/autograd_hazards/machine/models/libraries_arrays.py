"""Libraries that work on arrays: they convert tensors with NumPy, which torch refuses for one that requires grad."""

from __future__ import annotations

from ..values import Unknown, Value
from .numpy_functions import take
from .registry import FOREIGN, QUIET, Call, Machine

CONVERTING = ("matplotlib", "seaborn", "scipy", "sklearn", "cv2", "skimage", "plotly", "imageio")
QUIET.update(
    "pandas PIL hydra omegaconf yacs ml_collections gym gymnasium h5py nltk spacy librosa soundfile open3d".split()
)
KEEPING = ("subplots", "figure", "title", "xlabel", "ylabel", "legend", "savefig", "show", "train_test_split")


def convert(m: Machine, name: str, call: Call) -> Value:
    """A call that turns its arguments into arrays."""
    short = name.rpartition(".")[2]
    if short not in KEEPING and not short[:1].isupper():
        take(m, [*call.args, *call.kwargs.values()], call.node)
    return Unknown(name)


for _name in CONVERTING:
    FOREIGN[_name] = convert
