"""The programs in ``examples/`` fail under torch as their headers say, and the analyser finds what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograd_hazards.config import Config
from autograd_hazards.findings import Finding
from autograd_hazards.source.files import read_source
from autograd_hazards.workspace import Workspace
from tests.rules.zygote import Zygote

ROOT = Path(__file__).resolve().parent.parent / "examples"
ACCUSING = ("error", "warning")
SECOND = "Trying to backward through the graph a second time"
CHANGED = "modified by an inplace operation"

Line = tuple[str, str]
"""A file of ``examples/`` and the text of one of its lines."""


@dataclass(frozen=True, slots=True)
class Example:
    """``raises`` is what torch says at the line ``fails``, or ``says`` what a program prints that runs to its end.

    ``found`` gives the code and the line of each finding that must be there; other errors and warnings must not.
    """

    main: str
    found: tuple[tuple[str, Line], ...]
    raises: str = ""
    fails: Line = ("", "")
    says: str = ""


EXAMPLES = [
    Example(
        "inpainting_gan/train.py",
        (("AGH201", ("inpainting_gan/model.py", "self.dis_optimizer.step()")),),
        CHANGED,
        ("inpainting_gan/model.py", "gen_loss.backward()"),
    ),
    Example(
        "learned_labels.py",
        (("AGH401", ("learned_labels.py", "y = sharpened(network, X)")),),
        SECOND,
        ("learned_labels.py", "loss.backward()"),
    ),
    Example(
        "stateful_rnn.py",
        (("AGH103", ("stateful_rnn.py", "outputs, self.state = self.rnn(window, self.state)")),),
        SECOND,
        ("stateful_rnn.py", "loss.backward()"),
    ),
    Example(
        "actor_critic.py",
        (("AGH101", ("actor_critic.py", "critic_loss.backward()")),),
        SECOND,
        ("actor_critic.py", "critic_loss.backward()"),
    ),
    Example(
        "gated_convolutions.py",
        (("AGH304", ("gated_convolutions.py", "self.rectifier = nn.ReLU(inplace=True)")),),
        CHANGED,
        ("gated_convolutions.py", "loss.backward()"),
    ),
    Example(
        "learned_frequencies.ipynb",
        (("AGH106", ("learned_frequencies.ipynb", "waves = model.table(time)")),),
        SECOND,
        ("learned_frequencies.ipynb", "loss.backward()"),
    ),
    Example(
        "wgan_clipping.py",
        (
            ("AGH207", ("wgan_clipping.py", "weight.data.clamp_(-BOUND, BOUND)")),
            ("AGH104", ("wgan_clipping.py", "critic_total += critic_loss")),
        ),
        says=r"largest weight 0\.0[2-9]\d* of 0\.01",
    ),
]
KNOWN: dict[str, str] = {}
"""Main file → why the analyser does not yet find there what the header says. An entry that passes fails."""


def program(example: Example) -> Path:
    return ROOT / example.main


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.main)
def test_torch_does_what_the_header_says(example: Example, zygote: Zygote, tmp_path: Path) -> None:
    main, folder = program(example), program(example).parent
    if main.suffix == ".ipynb":
        # What a notebook does when its cells are run in order; magics and shell lines are neutral in this text.
        main = tmp_path / f"{main.stem}.py"
        main.write_text(read_source(program(example)).text, encoding="utf-8")
    outcome = zygote.run(main, folder)
    if not example.raises:
        assert outcome.code == 0, outcome.err
        assert re.search(example.says, outcome.out), outcome.out
        return
    assert outcome.code == 1, outcome.out
    assert re.search(example.raises, outcome.err.splitlines()[-1]), outcome.err
    name = Path(example.fails[0]).stem
    rows = re.findall(rf'{name}\.py", line (\d+)', outcome.err)
    assert rows and int(rows[-1]) == row_of(example.fails), outcome.err


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.main)
def test_analyser_finds_what_the_header_says(example: Example) -> None:
    findings = check(example)
    wanted = {(code, row_of(line), str(ROOT / line[0])) for code, line in example.found}
    places = set(map(_key, findings))
    accused = {_key(finding) for finding in findings if finding.severity in ACCUSING}
    right = wanted <= places and accused <= wanted
    if example.main in KNOWN:
        assert not right, f"right now: take {example.main} out of KNOWN"
    else:
        assert right, f"wanted {sorted(wanted)}, got {sorted(places)}"
        if example.fails[0]:
            first = next(finding for finding in findings if _key(finding) in wanted)
            assert first.severity == "error"
            assert first.fails_at is not None and first.fails_at.row == row_of(example.fails)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.main)
def test_header_names_its_findings(example: Example) -> None:
    text = program(example).read_text(encoding="utf-8")
    for code, _ in example.found:
        assert code in text


def test_every_example_is_listed() -> None:
    listed = {program(example) for example in EXAMPLES}
    alone = {path for path in ROOT.iterdir() if path.suffix in (".py", ".ipynb")}
    folders = {path for path in ROOT.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert alone <= listed
    assert folders == {path.parent for path in listed} - {ROOT}
    assert set(KNOWN) <= {example.main for example in EXAMPLES}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for example in EXAMPLES:
        assert example.main in readme
        assert all(code in readme for code, _ in example.found)


def check(example: Example) -> list[Finding]:
    """All findings in the files of an example."""
    main = program(example)
    paths = [main] if main.parent == ROOT else sorted(main.parent.glob("*.py"))
    return Workspace(main.parent, Config()).check(paths)


def row_of(line: Line) -> int:
    """The row of the one line with this text, in the text that the analyser reads."""
    rows = [
        row
        for row, text in enumerate(read_source(ROOT / line[0]).text.splitlines(), 1)
        if text.strip().startswith(line[1])
    ]
    assert len(rows) == 1, f"{line[1]!r} stands {len(rows)} times in {line[0]}"
    return rows[0]


def _key(finding: Finding) -> tuple[str, int, str]:
    return finding.code, finding.place.row, finding.place.filename
