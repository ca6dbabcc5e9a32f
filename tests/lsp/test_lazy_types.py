"""lsprotocol's classes are made when they are used, and are then what attrs would have made of them at once."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograd_hazards import user_folder

# What a fresh process with and one without the lazy classes say of them must be the same.
TELL = """
import sys
if sys.argv[1] == "lazy":
    from autograd_hazards.lsp.lazy_types import load_types
    load_types()
    from lsprotocol import types
    made = sum("__attrs_types_resolved__" in vars(each) for each in vars(types).values() if isinstance(each, type))
    assert made == 0, made
from lsprotocol import types
from lsprotocol.converters import get_converter
import attrs
converter = get_converter()
one = types.Position(1, 2)
assert one == types.Position(1, 2) != types.Position(1, 3) and one < types.Position(2, 0) and repr(one) == "1:2"
span = types.Range(one, one)
assert span.end is one and span == types.Range(start=one, end=types.Position(1, 2))
for wrong in (lambda: types.Position("a", 2), lambda: types.Position(1), lambda: types.Diagnostic(span, 3)):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
    else:
        raise AssertionError("it was taken")
full = types.Diagnostic(span, "text", types.DiagnosticSeverity.Error, "AGH301", types.CodeDescription("x:y"), data={"a": [1]})
data = converter.unstructure(full)
print(data)
assert converter.structure(data, types.Diagnostic) == full
print(converter.unstructure(converter.structure(
    {"processId": None, "rootUri": None, "capabilities": {"general": {"positionEncodings": ["utf-8", "odd"]}}}, types.InitializeParams)))
match full:
    case types.Diagnostic(message=message):
        print(message)
names = sorted(name for name, each in vars(types).items() if isinstance(each, type) and attrs.has(each))
print(len(names))
for name in names:
    cls = getattr(types, name)
    print(name, [(f.name, str(f.type), f.default, f.validator, f.kw_only, f.eq, f.order) for f in attrs.fields(cls)])
    print([method for method in ("__eq__", "__hash__", "__repr__", "__lt__", "__setattr__") if method in vars(cls)])
"""


_ADDRESS = re.compile(r" at 0x\w+")


def told(way: str) -> str:
    done = subprocess.run([sys.executable, "-c", TELL, way], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def test_they_are_as_attrs_makes_them_at_once() -> None:
    lazy, usual = told("lazy").splitlines(), told("usual").splitlines()
    assert len(lazy) > 500
    assert [_ADDRESS.sub("", line) for line in lazy] == [_ADDRESS.sub("", line) for line in usual]


THREADS = """
import threading
from autograd_hazards.lsp.lazy_types import load_types
load_types()
from lsprotocol import types
wrong = []
together = threading.Barrier(8)
def work():
    try:
        together.wait()
        for _ in range(50):
            place = types.Position(1, 2)
            types.Diagnostic(types.Range(place, place), "text", related_information=[
                types.DiagnosticRelatedInformation(types.Location("x:y", types.Range(place, place)), "text")])
            types.CompletionItem("a")
    except Exception as error:
        wrong.append(error)
threads = [threading.Thread(target=work) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
assert not wrong, wrong
"""


def test_several_threads_may_use_them_first() -> None:
    subprocess.run([sys.executable, "-c", THREADS], check=True)


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
