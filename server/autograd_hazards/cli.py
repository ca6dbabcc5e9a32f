"""The command line: ``check``, ``explain``, ``rule``, ``run`` and ``server``.

Exit status: 0 nothing found, 1 findings, 2 a mistake in the call or the configuration.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from autograd_hazards import __version__
from autograd_hazards import config as configuration
from autograd_hazards.locales import LOCALES, locale_of_environment, translate
from autograd_hazards.messages import Text, UserError, say

CLEAN, FOUND, MISTAKE = 0, 1, 2
INTERRUPTED = 130
FORMATS = ("text", "json", "github", "sarif")


class UsageError(UserError):
    """The call cannot be carried out as it was made; the message says why."""


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
        print(translate(say("interrupted"), locale_of_environment()), file=sys.stderr)
        status = INTERRUPTED
    sys.exit(status)


def main(arguments: Sequence[str], out: TextIO | None = None) -> int:
    """Carry out one call and return its exit status. ``out`` stands for standard output."""
    out = sys.stdout if out is None else out
    gc.set_threshold(100_000, 20, 20)  # the machine makes many small objects that live as long as the run
    locale = locale_of_environment()
    try:
        options = _parser(locale).parse_args(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else MISTAKE
    try:
        if options.command == "rule":
            from autograd_hazards.report import rule_page

            return rule_page.write(options.codes, options.all, out, options.locale or locale)
        if options.command == "server":
            from autograd_hazards.lsp import start

            return start.run(options)
        if options.command == "explain":
            from autograd_hazards.explain import command

            return command.run(options, out)
        if options.command == "run":
            from autograd_hazards import run

            return run.run(options)
        if options.command == "check":
            from autograd_hazards import check

            return check.run(options, out)
        _parser(locale).print_help(out)
        return MISTAKE
    except UserError as error:
        print(f"autograd-hazards: {translate(error.message, options.locale or locale)}", file=sys.stderr)
        return MISTAKE


def _parser(locale: str) -> argparse.ArgumentParser:
    def told(text: Text) -> str:
        return translate(text, locale)

    parser = argparse.ArgumentParser(
        prog="autograd-hazards", description=told(say("Finds PyTorch autograd hazards without running the program."))
    )
    parser.set_defaults(locale=None)
    parser.add_argument("--version", action="version", version=f"autograd-hazards {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _check_options(commands.add_parser("check", help=told(say("find hazards in files, folders and notebooks"))), told)
    rule = commands.add_parser("rule", help=told(say("print the documentation of a rule")))
    rule.add_argument("codes", nargs="*", metavar="CODE", help=told(say("a code such as AGH301, or a name")))
    rule.add_argument("--all", action="store_true", help=told(say("print all rules")))
    rule.add_argument("--locale", choices=LOCALES, help=told(say("the language (default: that of the environment)")))
    server = commands.add_parser("server", help=told(say("start the language server")))
    where = told(say("serve on a socket (default: standard input)"))
    server.add_argument("--tcp", type=_address, metavar="HOST:PORT", help=where)
    levels = ("debug", "info", "warning", "error")
    server.add_argument("--log-level", choices=levels, default="warning", help=told(say("what is logged")))
    _explain_options(
        commands.add_parser("explain", help=told(say("explain a traceback of torch (from a file or standard input)"))),
        told,
    )
    _run_options(commands.add_parser("run", help=told(say("run a script under the run-time witness"))), told)
    return parser


def _refused(message: Text) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(translate(message, locale_of_environment()))


def _codes(text: str) -> tuple[str, ...]:
    try:
        return configuration.parse_selectors(text.replace(",", " ").split(), "rule code")
    except configuration.ConfigError as error:
        raise _refused(error.message) from error


def _torch_version(text: str) -> str:
    try:
        return configuration.parse_torch_version(text, "version")
    except configuration.ConfigError as error:
        raise _refused(error.message) from error


def _address(text: str) -> str:
    _, colon, port = text.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65535:
        raise _refused(say("{text!r} is no address such as 127.0.0.1:2087", text=text))
    return text


def _check_options(parser: argparse.ArgumentParser, told: Callable[[Text], str]) -> None:
    parser.description = told(say("Find hazards in files, folders and notebooks."))
    parser.epilog = told(say("Exit status: 0 nothing found, 1 findings, 2 a mistake in the call or the configuration."))
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        help=told(say("files, folders, notebooks, or - for standard input (default: .)")),
    )
    add(
        "--select",
        type=_codes,
        action="extend",
        default=[],
        metavar="CODES",
        help=told(say("only these codes or prefixes")),
    )
    add(
        "--ignore",
        type=_codes,
        action="extend",
        default=[],
        metavar="CODES",
        help=told(say("not these codes or prefixes")),
    )
    add("--output-format", choices=FORMATS, default="text", help=told(say("how findings are written (default: text)")))
    add("--fix", action="store_true", help=told(say("apply safe fixes")))
    add("--unsafe-fixes", action="store_true", help=told(say("with --fix or --diff: those that change training, too")))
    add("--diff", action="store_true", help=told(say("show what --fix would change, and change nothing")))
    add("--with-fixes", action="store_true", help=told(say("name in the report the fixes that --fix could apply")))
    add("--exit-zero", action="store_true", help=told(say("exit with 0 even when something is found")))
    add("--no-cache", action="store_true", help=told(say("neither read nor write the on-disk cache")))
    add("--config", type=Path, metavar="FILE", help=told(say("read this configuration file and no other")))
    add(
        "--torch-version",
        type=_torch_version,
        metavar="VERSION",
        help=told(say("the torch that the program is for, as 2.6")),
    )
    add("--statistics", action="store_true", help=told(say("show counts per rule")))
    add("--locale", choices=LOCALES, help=told(say("the language (default: that of the environment)")))
    add("--watch", action="store_true", help=told(say("check again whenever a file changes")))
    add("--stdin-filename", type=Path, metavar="FILE", help=told(say("the name of what comes on standard input")))
    add("--jobs", type=_jobs, metavar="N", help=told(say("worker processes for many files (default: one per core)")))


def _explain_options(parser: argparse.ArgumentParser, told: Callable[[Text], str]) -> None:
    parser.description = told(say("Explain a traceback or log of torch with the program that it comes from."))
    add = parser.add_argument
    add(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help=told(say("the traceback, or - for standard input (default)")),
    )
    add("--root", metavar="FOLDER", help=told(say("the program's folder (default: found by the traceback's paths)")))
    add(
        "--output-format",
        choices=("text", "json"),
        default="text",
        help=told(say("how the answer is written (default: text)")),
    )
    add(
        "--torch-version",
        type=_torch_version,
        metavar="VERSION",
        help=told(say("the torch that the program is for, as 2.6")),
    )
    add("--locale", choices=LOCALES, help=told(say("the language (default: that of the environment)")))


def _run_options(parser: argparse.ArgumentParser, told: Callable[[Text], str]) -> None:
    parser.description = told(
        say(
            "Run a program unchanged, watch what autograd meets, and report it on standard error when the program ends."
        )
    )
    parser.epilog = told(say("Exit status: that of the program."))
    parser.usage = "%(prog)s [options] (SCRIPT | -m MODULE) [ARGUMENT ...]"
    add = parser.add_argument
    add(
        "--python",
        metavar="PATH",
        help=told(say("the program's interpreter (default: that of the active environment)")),
    )
    add(
        "--output-format",
        choices=("text", "json"),
        default="text",
        help=told(say("how findings are written (default: text)")),
    )
    add("--output", metavar="FILE", help=told(say("write the report to a file instead")))
    add(
        "--sample",
        type=_jobs,
        default=1,
        metavar="N",
        help=told(say("watch only every Nth iteration of training loops")),
    )
    add("-u", dest="unbuffered", action="store_true", help=told(say("do not buffer the program's output")))
    add("--locale", choices=LOCALES, help=told(say("the language (default: that of the environment)")))
    add("-m", dest="module", action="store_true", help=told(say("run a module instead of a script")))
    add(
        "program", nargs=argparse.REMAINDER, metavar="SCRIPT", help=told(say("the script or module, and its arguments"))
    )


def _jobs(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise _refused(say("{text!r} is no number of processes from 1 on", text=text))
    return int(text)
