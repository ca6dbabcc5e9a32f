"""The command ``check``: from options to a report and an exit status."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from autograd_hazards import config as configuration
from autograd_hazards import walk
from autograd_hazards.cli import CLEAN, FOUND, UsageError
from autograd_hazards.config import Config
from autograd_hazards.findings import Finding
from autograd_hazards.locales import ENGLISH, locale_of_environment, told, translate
from autograd_hazards.messages import say
from autograd_hazards.workspace import Workspace

STDIN = "-"
# How often --watch looks at the files, in seconds.
WATCH_EVERY = 0.5


def run(options: argparse.Namespace, out: TextIO) -> int:
    """Carry out ``check``. Raises UsageError or ConfigError for calls that make no sense."""
    mending = options.fix or options.diff
    if options.unsafe_fixes and not mending:
        raise UsageError(say("--unsafe-fixes goes with --fix or --diff"))
    if mending and options.watch:
        raise UsageError(say("--watch does not go with --fix and --diff"))
    if mending and options.output_format != "text":
        raise UsageError(say("--fix and --diff work with the text format only"))
    if options.watch and (STDIN in options.paths or options.output_format != "text"):
        raise UsageError(say("--watch works with files and with the text format only"))
    check = _Check(options)
    if mending:
        return check.mend(out)
    if not options.watch:
        return check.once(out)
    return _watch(check, out)


class _Check:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        names = options.paths or ["."]
        self.overlay: dict[Path, str] = {}
        if STDIN in names:
            if len(names) > 1:
                raise UsageError(say("standard input (-) cannot be combined with other paths"))
            self.paths = [_absolute(options.stdin_filename or Path("stdin.py"))]
            self.overlay = {self.paths[0]: _read_stdin()}
        else:
            if options.stdin_filename is not None:
                raise UsageError(say("--stdin-filename is for standard input: give - as the path"))
            self.paths = [_absolute(Path(name)) for name in names]
            for name, path in zip(names, self.paths, strict=True):
                if not path.exists():
                    raise UsageError(say("{name}: no such file or folder", name=name))
        self.root, self.marked = walk.find_root(self.paths)
        start = self.paths[0] if self.paths[0].is_dir() else self.paths[0].parent
        config = configuration.load(self.root if len(self.paths) > 1 else start, options.config)
        self.config = configuration.override(
            config, select=tuple(options.select), ignore=tuple(options.ignore), torch_version=options.torch_version
        )
        _known_codes(self.config)
        wish = options.locale or (self.config.locale if self.config.locale != configuration.AUTO else None)
        # What programs read stays English unless the call itself says otherwise.
        self.locale: str = wish or locale_of_environment()
        self.machine_locale: str = options.locale or ENGLISH
        self.noticed: set[str] = set()

    def files(self) -> list[Path]:
        """The files that are checked."""
        if self.overlay:
            return self.paths
        return walk.collect(self.paths, self.config, self.root)

    def workspace(self) -> Workspace:
        """The analysis, as the options want it."""
        options = self.options
        made = Workspace(
            self.root,
            self.config,
            overlay=self.overlay,
            cache=not options.no_cache,
            jobs=options.jobs,
            # Without a sign of where the project ends, the files around may belong to anything; and when the whole
            # of it is checked, its importers are among the files.
            scan_importers=self.marked and self.root not in self.paths,
        )
        if made.notice is not None and made.notice not in self.noticed:
            self.noticed.add(made.notice)
            print(f"autograd-hazards: {translate(made.notice, self._locale_for(sys.stderr))}", file=sys.stderr)
        return made

    def mend(self, out: TextIO) -> int:
        """``--fix`` and ``--diff``: exit status FOUND when something is left, or would change."""
        from autograd_hazards.fixes import command, session

        options = self.options
        files = self.files()
        workspace = self.workspace()

        def place(finding: Finding) -> Finding:
            return workspace.by_cell([finding])[0]

        if options.diff or self.overlay:
            mended = session.mend(workspace, files, unsafe=options.unsafe_fixes)
            if options.diff:
                out.write(command.diff(workspace, mended))
                found = bool(mended.texts)
            else:  # standard input: its mended text goes where its report would go
                out.write(mended.texts.get(self.paths[0], self.overlay[self.paths[0]]))
                found = bool(mended.left)
            sys.stderr.write(command.summary(mended, place, self._locale_for(sys.stderr)))
            return FOUND if found and not options.exit_zero else CLEAN
        mended = command.apply(workspace, files, options.unsafe_fixes, sys.stderr, self._locale_for(sys.stderr))
        out.write(command.summary(mended, place, self._locale_for(out)))
        return self.once(out)

    def once(self, out: TextIO) -> int:
        """Check and report."""
        options = self.options
        files = self.files()
        workspace = self.workspace()
        with _Progress(sys.stderr, self._locale_for(sys.stderr)) as progress:
            findings = workspace.check(files, progress)
        if options.with_fixes:
            from autograd_hazards.fixes import session

            findings = session.with_fixes(workspace, findings)
        findings = workspace.by_cell(findings)
        self._write(findings, files, workspace, out)
        return FOUND if findings and not options.exit_zero else CLEAN

    def _locale_for(self, stream: TextIO) -> str:
        from autograd_hazards.report.style import style_for

        return style_for(stream, locale=self.locale).locale

    def _write(self, findings: Sequence[Finding], files: Sequence[Path], workspace: Workspace, out: TextIO) -> None:
        kind = self.options.output_format
        if kind == "json":
            from autograd_hazards.report import json

            out.write(json.render([told(finding, self.machine_locale) for finding in findings]))
        elif kind == "github":
            from autograd_hazards.report import github

            out.write(github.render(findings, self.machine_locale))
        elif kind == "sarif":
            from autograd_hazards.report import sarif

            out.write(sarif.render(findings, _docs(self.machine_locale), self.machine_locale))
        else:
            from autograd_hazards.report import text
            from autograd_hazards.report.style import style_for

            style = style_for(out, locale=self.locale)
            out.write(text.render(findings, workspace.lines, style))
            if not files:
                nothing = translate(say("no Python files or notebooks found there"), self._locale_for(sys.stderr))
                print(f"autograd-hazards: {nothing}", file=sys.stderr)
            out.write(text.summary(findings, len(files), style))
        if self.options.statistics:
            from autograd_hazards.report import statistics
            from autograd_hazards.report.style import style_for

            # Beside a report for programs, the numbers for people go where they disturb nothing.
            target = out if kind == "text" else sys.stderr
            target.write(statistics.render(findings, style_for(target)))


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _read_stdin() -> str:
    # Bytes as they come: the encoding is the text's own matter, and line ends stay.
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace")


def _docs(locale: str) -> Mapping[str, str]:
    from autograd_hazards import catalogue

    return {code: entry.doc for code, entry in catalogue.entries(locale).items()}


def _known_codes(config: Config) -> None:
    """A selector that no rule fits is a mistake that would otherwise stay unnoticed."""
    named = {*config.select, *config.extend_select, *config.ignore} - {"AGH"}
    if not named:
        return
    from autograd_hazards import catalogue

    codes = catalogue.entries()
    for selector in sorted(named):
        if not any(code.startswith(selector) for code in codes):
            raise UsageError(say("no rule has the code {code}; `autograd-hazards rule` lists them", code=selector))


def _watch(check: _Check, out: TextIO) -> int:
    """Check whenever a file appears, changes or goes, until interrupted."""
    from autograd_hazards.report.style import style_for

    seen: dict[Path, tuple[int, int]] | None = None
    while True:
        state = {path: _stamp(path) for path in check.files()}
        if state != seen:
            seen = state
            if out.isatty():
                out.write("\x1b[2J\x1b[H")
            check.once(out)
            out.write(style_for(out, locale=check.locale).say(say("Watching for changes; Ctrl-C ends.")) + "\n")
            out.flush()
        time.sleep(WATCH_EVERY)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:  # gone since it was listed
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


class _Progress:
    """A bar on a terminal, from the moment on that a run turns out to be long."""

    AFTER = 1.0

    def __init__(self, stream: TextIO, locale: str = ENGLISH) -> None:
        self.stream = stream
        self.locale = locale
        self.started = time.monotonic()
        self.bar: object = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            from autograd_hazards.report.progress import Bar

            assert isinstance(self.bar, Bar)
            self.bar.close()

    def __call__(self, done: int, total: int) -> None:
        if not self.stream.isatty() or time.monotonic() - self.started < self.AFTER:
            return
        from autograd_hazards.report.progress import Bar

        if self.bar is None:
            self.bar = Bar(self.stream, self.locale)
        assert isinstance(self.bar, Bar)
        self.bar.show(done, total)
