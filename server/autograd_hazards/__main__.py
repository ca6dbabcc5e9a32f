"""``python -m autograd_hazards``."""

from __future__ import annotations

from autograd_hazards.cli import console

if __name__ == "__main__":
    console()
