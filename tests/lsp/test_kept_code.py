"""What makes a start quicker: the code of lsprotocol's classes is kept, and nothing else than what Python would make."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograd_hazards import user_folder

TELL = """
import builtins, sys
from autograd_hazards.lsp import kept_code
made = []
compile = builtins.compile
builtins.compile = lambda *rest, **more: made.append(rest[1]) or compile(*rest, **more)
kept_code.load_types()
from lsprotocol import types
one = types.Position(1, 2)
assert one == types.Position(1, 2) and repr(one) == "1:2" and types.Range(one, one).end is one
print(sum("attrs generated" in str(name) and "lsprotocol" in str(name) for name in made))
"""


def compiled(folder: Path, **more: str) -> int:
    """How many scripts of lsprotocol's classes a fresh process compiles."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"AUTOGRAD_HAZARDS_CACHE": str(folder), **more}
    done = subprocess.run([sys.executable, "-c", TELL], env=environment, capture_output=True, text=True, check=True)
    assert not done.stderr
    return int(done.stdout)


def test_the_second_start_compiles_nothing(tmp_path: Path) -> None:
    assert compiled(tmp_path / "new") > 500
    assert compiled(tmp_path / "new") == 0
    assert [path.suffix for path in (tmp_path / "new").iterdir()] == [".bin"]


def test_what_is_not_as_it_was_written_counts_for_nothing(tmp_path: Path) -> None:
    compiled(tmp_path)
    (file,) = tmp_path.iterdir()
    data = file.read_bytes()
    for broken in (data[:1000], data[:-1] + b"x", b"", b"\0" * 100):
        file.write_bytes(broken)
        assert compiled(tmp_path) > 500
        assert file.read_bytes() == data


def test_nothing_is_written_where_nothing_shall_be(tmp_path: Path) -> None:
    assert compiled(tmp_path / "a", PYTHONDONTWRITEBYTECODE="1") > 500
    (tmp_path / "file").write_text("in the way")
    assert compiled(tmp_path / "file") > 500
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("given", ["", "relative"])
def test_without_a_folder_nothing_is_kept(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAD_HAZARDS_CACHE", given)
    assert user_folder.cache_folder() is None


def test_the_folder_is_that_of_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AUTOGRAD_HAZARDS_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    for platform in ("linux", "win32"):
        monkeypatch.setattr(sys, "platform", platform)
        assert user_folder.cache_folder() == tmp_path / "autograd-hazards"
