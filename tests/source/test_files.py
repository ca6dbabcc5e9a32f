"""Reading files: what Python can read is read as Python reads it, the rest becomes a problem and no exception."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_hazards.source.files import SourceFile, SourceProblem, decode_source, read_source, source_from_text

HERE = Path("file.py")


def read(data: bytes) -> SourceFile:
    source = decode_source(HERE, data)
    assert isinstance(source, SourceFile), source
    return source


def refused(data: bytes) -> SourceProblem:
    source = decode_source(HERE, data)
    assert isinstance(source, SourceProblem), source
    assert source.message.endswith(".")
    return source


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        ("é\n".encode(), "é\n", "utf-8"),
        (b"# -*- coding: latin-1 -*-\n# \xe9\n", "# -*- coding: latin-1 -*-\n# é\n", "iso8859-1"),
        (b"#!python\n# vim: fileencoding=cp1252\n'\x80'", "#!python\n# vim: fileencoding=cp1252\n'€'", "cp1252"),
        (b"# coding: utf-8-unix\n", "# coding: utf-8-unix\n", "utf-8"),
        (b"\n\n# coding: latin-1\n", "\n\n# coding: latin-1\n", "utf-8"),  # the third line declares nothing
        (b"x = 1\n# coding: nonsense\n", "x = 1\n# coding: nonsense\n", "utf-8"),  # nor one after code
        (b"# coding: gbk\n'\xc4\xe3'", "# coding: gbk\n'你'", "gbk"),
        (b"# a\r# coding: latin-1\rx = '\xe9'\r", "# a\r# coding: latin-1\rx = 'é'\r", "iso8859-1"),
    ],
)
def test_encodings(data: bytes, text: str, encoding: str) -> None:
    source = read(data)
    assert (source.text, source.encoding) == (text, encoding)
    assert source.text.encode(source.encoding) == data


def test_byte_order_mark_is_no_text() -> None:
    source = read(codecs.BOM_UTF8 + b"x = 1\n")
    assert (source.text, source.bom) == ("x = 1\n", True)
    assert read(codecs.BOM_UTF8 + b"# coding: utf-8\n").bom


@pytest.mark.parametrize(
    ("data", "newline"), [(b"a\nb\n", "\n"), (b"a\r\nb\r\nc\n", "\r\n"), (b"a\rb\r", "\r"), (b"a", "\n")]
)
def test_line_ends_are_kept_and_the_usual_one_is_known(data: bytes, newline: str) -> None:
    source = read(data)
    assert source.text.encode() == data
    assert source.newline == newline


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"x = '\xe9'\n", "not valid utf-8: byte 0xe9 in line 1"),
        (b"# coding: no-such\n", "'no-such'"),
        (b"# coding: hex\nx = 1\n", "'hex'"),
        (b"# coding: utf-16\nx = 1\n", "'utf-16'"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "UTF-8 mark"),
        (b"\x7fELF\0\0\0", "binary"),
        ("x = 1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_no_source_is_a_problem(data: bytes, said: str) -> None:
    assert said in refused(data).message


def test_row_of_an_undecodable_byte() -> None:
    assert refused(b"a = 1\nb = 2\nc = '\xff'\n").row == 3


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    missing = read_source(tmp_path / "missing.py")
    assert isinstance(missing, SourceProblem)
    assert "No such file" in missing.message
    folder = read_source(tmp_path)
    assert isinstance(folder, SourceProblem)
    assert "folder" in folder.message
    odd = read_source(Path("a\0b.py"))
    assert isinstance(odd, SourceProblem)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.py")
        pipe = read_source(tmp_path / "pipe.py")
        assert isinstance(pipe, SourceProblem)
        assert "no regular file" in pipe.message


def test_an_editors_text_needs_no_file() -> None:
    source = source_from_text(HERE, "\ufeffx = 1\r\n")
    assert isinstance(source, SourceFile)
    assert (source.text, source.bom, source.newline) == ("x = 1\r\n", True, "\r\n")


@given(st.binary(max_size=200), st.sampled_from(["a.py", "a.ipynb", "a"]))
def test_no_bytes_raise(data: bytes, name: str) -> None:
    source = decode_source(Path(name), data)
    assert isinstance(source, (SourceFile, SourceProblem))


@given(st.text(st.characters(codec="ascii", exclude_characters="\n"), max_size=20), st.binary(max_size=50))
def test_no_declared_encoding_raises(codec: str, data: bytes) -> None:
    source = decode_source(HERE, b"# coding: " + codec.encode() + b"\n" + data)
    assert isinstance(source, (SourceFile, SourceProblem))
