"""Starts the autograd-hazards that comes with the extension, on whichever Python runs this file."""

import os
import sys

LIBRARIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs")


def main() -> None:
    """Hand the command line over to what is bundled."""
    if sys.version_info < (3, 10):  # noqa: UP036 - any Python may be configured
        sys.exit("autograd-hazards needs Python 3.10 or newer, and this is " + sys.version.split()[0])
    if sys.argv[1:2] == ["server"]:
        sys.path.insert(0, LIBRARIES)
    else:
        # Under the witness a program runs in this process: where it has packages of the same names, they are its own.
        sys.path.append(LIBRARIES)
    from autograd_hazards.cli import console

    console()


if __name__ == "__main__":
    main()
