"""The command line: ``check``, ``rule`` and the entrances to what later versions bring.

Exit status: 0 nothing found, 1 findings, 2 a mistake in the call or the configuration.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from autograd_hazards import __version__
from autograd_hazards import config as configuration

CLEAN, FOUND, MISTAKE = 0, 1, 2
INTERRUPTED = 130
FORMATS = ("text", "json", "github", "sarif")
_LATER = {
    "explain": "explain a traceback of torch (from a file or standard input)",
    "run": "run a script under the run-time witness",
    "server": "start the language server",
}


class UsageError(Exception):
    """The call cannot be carried out as it was made; the text says why."""


def console() -> NoReturn:
    """The console script. Ends the process; a reader that went away and Ctrl-C end it quietly."""
    # A short life with many small objects that stay: looking for cycles often only costs time.
    gc.set_threshold(50_000, 20, 100)
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = FOUND
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        status = INTERRUPTED
    sys.exit(status)


def main(arguments: Sequence[str], out: TextIO | None = None) -> int:
    """Carry out one call and return its exit status. ``out`` stands for standard output."""
    out = sys.stdout if out is None else out
    gc.set_threshold(100_000, 20, 20)  # the machine makes many small objects that live as long as the run
    if len(arguments) > 1 and arguments[0] in _LATER:
        # Their options are not known yet; whatever they are, the answer is the same.
        arguments = arguments[:1]
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else MISTAKE
    try:
        if options.command in _LATER:
            raise UsageError(
                f"`{options.command}` is not part of this version ({__version__}); it comes in a later one"
            )
        if options.command == "rule":
            from autograd_hazards.report import rule_page

            return rule_page.write(options.codes, options.all, out)
        if options.command == "check":
            from autograd_hazards import check

            return check.run(options, out)
        _parser().print_help(out)
        return MISTAKE
    except (UsageError, configuration.ConfigError) as error:
        print(f"autograd-hazards: {error}", file=sys.stderr)
        return MISTAKE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograd-hazards", description="Finds PyTorch autograd hazards without running the program."
    )
    parser.add_argument("--version", action="version", version=f"autograd-hazards {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _check_options(commands.add_parser("check", help="find hazards in files, folders and notebooks"))
    rule = commands.add_parser("rule", help="print the documentation of a rule")
    rule.add_argument("codes", nargs="*", metavar="CODE", help="a code such as AGH301, or a name")
    rule.add_argument("--all", action="store_true", help="print all rules")
    for name, text in _LATER.items():
        commands.add_parser(name, help=f"{text} (in a later version)")
    return parser


def _codes(text: str) -> tuple[str, ...]:
    try:
        return configuration.parse_selectors(text.replace(",", " ").split(), "rule code")
    except configuration.ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _torch_version(text: str) -> str:
    try:
        return configuration.parse_torch_version(text, "version")
    except configuration.ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _check_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Find hazards in files, folders and notebooks."
    parser.epilog = "Exit status: 0 nothing found, 1 findings, 2 a mistake in the call or the configuration."
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files, folders, notebooks, or - for standard input (default: .)")
    add("--select", type=_codes, action="extend", default=[], metavar="CODES", help="only these codes or prefixes")
    add("--ignore", type=_codes, action="extend", default=[], metavar="CODES", help="not these codes or prefixes")
    add("--output-format", choices=FORMATS, default="text", help="how findings are written (default: text)")
    add("--fix", action="store_true", help="apply safe fixes")
    add("--unsafe-fixes", action="store_true", help="with --fix or --diff: those that change training, too")
    add("--diff", action="store_true", help="show what --fix would change, and change nothing")
    add("--with-fixes", action="store_true", help="name in the report the fixes that --fix could apply")
    add("--exit-zero", action="store_true", help="exit with 0 even when something is found")
    add("--no-cache", action="store_true", help="neither read nor write the on-disk cache")
    add("--config", type=Path, metavar="FILE", help="read this configuration file and no other")
    add("--torch-version", type=_torch_version, metavar="VERSION", help="the torch that the program is for, as 2.6")
    add("--statistics", action="store_true", help="show counts per rule")
    add("--watch", action="store_true", help="check again whenever a file changes")
    add("--stdin-filename", type=Path, metavar="FILE", help="the name of what comes on standard input")
    add("--jobs", type=_jobs, metavar="N", help="worker processes for many files (default: one per core)")


def _jobs(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes from 1 on")
    return int(text)
