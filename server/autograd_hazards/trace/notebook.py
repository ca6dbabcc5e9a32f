"""For notebooks: ``%load_ext autograd_hazards.trace.notebook``, then ``%%autograd_witness`` on top of a cell."""

from __future__ import annotations

from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """Called by ``%load_ext``."""
    shell.register_magic_function(lambda line, cell: autograd_witness(shell, line, cell), "cell", "autograd_witness")


def autograd_witness(shell: Any, line: str, cell: str) -> None:
    """Run a cell as it is and report what autograd met in it. ``line`` may hold ``--sample N``."""
    import sys

    from .session import witness

    words = line.split()
    sample = int(words[1]) if len(words) == 2 and words[0] == "--sample" else 1
    with witness(report=sys.stdout, sample=sample) as watching:
        result = shell.run_cell(cell)
        if result.error_in_exec is not None:  # the shell has shown it and goes on
            watching.raised(result.error_in_exec)
