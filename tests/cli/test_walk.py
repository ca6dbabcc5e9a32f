"""Which files a run is about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograd_hazards import config, walk
from autograd_hazards.config import Config


def tree(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


def collect(root: Path, settings: Config, *paths: str) -> list[str]:
    return [str(p.relative_to(root)) for p in walk.collect([root / path for path in paths or (".",)], settings, root)]


def test_python_files_and_notebooks_in_order(tmp_path: Path) -> None:
    tree(tmp_path, "b.py", "a/x.py", "a/n.ipynb", "c.txt", "d.pyi", ".hidden/h.py")
    assert collect(tmp_path, Config()) == ["b.py", ".hidden/h.py", "a/n.ipynb", "a/x.py"]


def test_folders_that_are_not_the_projects_are_left_out(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", ".venv/b.py", "x/__pycache__/c.py", "lib/site-packages/d.py", "node_modules/e.py")
    assert collect(tmp_path, Config()) == ["a.py"]


def test_a_named_file_is_taken_whatever_it_is_called_and_once(tmp_path: Path) -> None:
    tree(tmp_path, "script", "build/a.py")
    assert collect(tmp_path, Config(), "script", "build/a.py", "build") == ["script", "build/a.py"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("old", ["new/b.py"]),
        ("old/*", ["new/b.py"]),
        ("new/b.py", ["old/a.py"]),
        ("b.*", ["old/a.py"]),
        ("ol?", ["new/b.py"]),
    ],
)
def test_exclude_takes_names_and_patterns(tmp_path: Path, pattern: str, left: list[str]) -> None:
    tree(tmp_path, "old/a.py", "new/b.py")
    assert collect(tmp_path, config.from_table({"extend-exclude": [pattern]})) == left


def test_gitignore_is_respected_with_negation_and_depth(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "a.py", "gen_a.py", "sub/gen_b.py", "sub/keep/gen_c.py", "tmp/d.py", "sub/tmp/e.py")
    (tmp_path / ".gitignore").write_text("gen_*.py\n/tmp/\n")
    (tmp_path / "sub" / ".gitignore").write_text("!gen_c.py\n")
    assert collect(tmp_path, Config()) == ["a.py", "sub/keep/gen_c.py", "sub/tmp/e.py"]
    assert collect(tmp_path, Config(), "sub") == ["sub/keep/gen_c.py", "sub/tmp/e.py"]
    off = config.from_table({"respect-gitignore": False})
    assert len(collect(tmp_path, off)) == 6


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    tree(tmp_path, "a/x.py")
    os.symlink(tmp_path, tmp_path / "a" / "loop")
    assert collect(tmp_path, Config()) == ["a/x.py"]


def test_the_root_is_where_a_marker_is(tmp_path: Path) -> None:
    tree(tmp_path, "pyproject.toml", "src/pkg/a.py")
    assert walk.find_root([tmp_path / "src" / "pkg" / "a.py"]) == (tmp_path, True)


def test_without_a_marker_the_root_is_above_the_package(tmp_path: Path) -> None:
    tree(tmp_path, "code/pkg/__init__.py", "code/pkg/sub/__init__.py", "code/pkg/sub/a.py")
    root, marked = walk.find_root([tmp_path / "code" / "pkg" / "sub" / "a.py"])
    assert (root, marked) == (tmp_path / "code", False)
