"""What both sides say of a program: nothing, or the kind and row of its first error."""

from __future__ import annotations

from dataclasses import dataclass

MESSAGES = (
    ("modified by an inplace operation", "version"),
    ("backward through the graph a second time", "freed"),
    ("a view of a leaf Variable that requires grad", "view"),
    ("a leaf Variable that requires grad is being used in an in-place", "leaf"),
    ("output of a function that returns multiple views", "multiview"),
    ("view was created in no_grad mode", "view"),
    ("view was created in inference mode", "view"),
    ("view was created inside a custom Function", "view"),
    ("does not require grad and does not have a grad_fn", "no_grad_graph"),
    ("only for scalar outputs", "non_scalar"),
    ("nference tensor", "inference"),
    ("to a single memory location", "overlap"),
    ("that requires grad. Use tensor.detach().numpy()", "numpy"),
    ("to not have been used in the graph", "unused"),
    ("One of the differentiated Tensors does not require grad", "no_grad_graph"),
    ("can't retain_grad on Tensor", "no_grad_graph"),  # backward(inputs=…) says so too
    ("don't support automatic differentiation", "other"),
    ("only change requires_grad flags of leaf", "other"),
    ("requires_grad=False on a", "other"),
    ("detach views in-place", "other"),
    ("an't optimize a non-leaf", "other"),
    ("deepcopy protocol", "other"),
)
"""A part of torch's message → the kind of the error. What matches none of these is no matter of autograd."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The first error's kind and the deepest row of the program it was raised in; row 0 and no kind for none."""

    kind: str = ""
    row: int = 0

    def __str__(self) -> str:
        return f"{self.kind} at row {self.row}" if self.kind else "runs"


RUNS = Verdict()


def kind_of(message: str) -> str | None:
    """The kind of an error of autograd, None for any other message."""
    return next((kind for part, kind in MESSAGES if part in message), None)
