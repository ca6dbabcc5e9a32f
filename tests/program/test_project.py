"""Which file an import means, who imports whom, and what a file is good for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograd_hazards.program.modules import Module
from autograd_hazards.program.project import Project


def make(root: Path, files: dict[str, str]) -> Project:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Project([root])


def found(project: Project, root: Path, importer: str, name: str, level: int = 0) -> str | None:
    module = project.resolve(name, project.module_at(root / importer), level)
    return None if module is None else str(module.path.relative_to(root))


PACKAGE = {
    "train.py": "",
    "utils.py": "",
    "pkg/__init__.py": "",
    "pkg/a.py": "",
    "pkg/logging.py": "",
    "pkg/sub/__init__.py": "",
    "pkg/sub/b.py": "",
    "spaces/one.py": "",
    "spaces/deep/two.py": "",
    "spaces/utils.py": "",
    "empty/notes.txt": "",
    "src/lib/__init__.py": "",
    "src/lib/c.py": "",
    "tests/test_c.py": "",
    "torch.py": "",
    "random.py": "",
    "stubs.pyi": "",
}


@pytest.mark.parametrize(
    ("importer", "name", "level", "expected"),
    [
        ("train.py", "pkg", 0, "pkg/__init__.py"),
        ("train.py", "pkg.a", 0, "pkg/a.py"),
        ("train.py", "pkg.sub.b", 0, "pkg/sub/b.py"),
        ("train.py", "pkg.none", 0, None),
        ("train.py", "spaces", 0, "spaces"),  # a folder without __init__.py is a namespace
        ("train.py", "spaces.deep.two", 0, "spaces/deep/two.py"),
        ("train.py", "empty", 0, None),
        ("train.py", "lib.c", 0, "src/lib/c.py"),
        ("tests/test_c.py", "lib", 0, "src/lib/__init__.py"),
        ("tests/test_c.py", "utils", 0, "utils.py"),
        ("pkg/a.py", "sub", 1, "pkg/sub/__init__.py"),
        ("pkg/a.py", "", 1, "pkg/__init__.py"),
        ("pkg/__init__.py", "a", 1, "pkg/a.py"),
        ("pkg/sub/b.py", "a", 2, "pkg/a.py"),
        ("pkg/sub/__init__.py", "b", 1, "pkg/sub/b.py"),
        ("pkg/a.py", "pkg.sub", 0, "pkg/sub/__init__.py"),
        ("pkg/a.py", "utils", 0, "utils.py"),
        ("pkg/a.py", "logging", 0, None),  # within a package the standard library comes first
        ("pkg/sub/b.py", "a", 0, "pkg/a.py"),  # as when the program was started in pkg
        ("spaces/one.py", "utils", 0, "spaces/utils.py"),  # a script's own folder comes first
        ("spaces/utils.py", "utils", 0, "utils.py"),  # but nothing imports itself
        ("spaces/one.py", "pkg.a", 0, "pkg/a.py"),
        ("spaces/deep/two.py", "one", 0, "spaces/one.py"),
        ("train.py", "random", 0, "random.py"),  # a script's own folder comes before the standard library
        ("spaces/one.py", "random", 0, None),
        ("train.py", "torch", 0, None),  # never the project's
        ("train.py", "numpy", 0, None),
        ("train.py", "stubs", 0, None),
        ("train.py", "outside", 2, None),
    ],
)
def test_resolution(tmp_path: Path, importer: str, name: str, level: int, expected: str | None) -> None:
    project = make(tmp_path, PACKAGE)
    assert found(project, tmp_path, importer, name, level) == expected


def test_names_and_kinds(tmp_path: Path) -> None:
    project = make(tmp_path, PACKAGE)
    names = {path: project.module_at(tmp_path / path).name for path in ("train.py", "pkg/__init__.py", "pkg/sub/b.py")}
    assert names == {"train.py": "train", "pkg/__init__.py": "pkg", "pkg/sub/b.py": "pkg.sub.b"}
    assert project.module_at(tmp_path / "pkg/__init__.py").is_package
    namespace = project.resolve("spaces", None)
    assert isinstance(namespace, Module)
    assert namespace.is_namespace
    assert namespace.parsed.tree.body == []
    assert not namespace.parsed.problems


def test_a_file_that_cannot_be_read_is_a_module_with_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = '\xff'\n")
    project = Project([tmp_path])
    for name, said in (("a.py", "not valid utf-8"), ("missing.py", "No such file")):
        parsed = project.module_at(tmp_path / name).parsed
        assert parsed.tree.body == []
        assert said in parsed.problems[0].message
        assert parsed.problems[0].place.filename == str(tmp_path / name)


def test_overlays_stand_for_files(tmp_path: Path) -> None:
    make(tmp_path, {"a.py": "import b\n"})
    project = Project([tmp_path], {tmp_path / "a.py": "import new.c\n", tmp_path / "new" / "c.py": "x = 1\n"})
    module = project.module_at(tmp_path / "a.py")
    assert module.text == "import new.c\n"
    assert found(project, tmp_path, "a.py", "new.c") == "new/c.py"
    assert project.importers_of(tmp_path / "new" / "c.py") == [tmp_path / "a.py"]


def test_an_update_is_seen_everywhere(tmp_path: Path) -> None:
    project = make(tmp_path, {"a.py": "import b\n\n\ndef f():\n    pass\n", "b.py": ""})
    first = project.module_at(tmp_path / "a.py")
    function = first.parsed.tree.body[1]
    assert project.importers_of(tmp_path / "b.py") == [tmp_path / "a.py"]
    project.update(tmp_path / "a.py", "\n\n\ndef f():\n    pass\n")
    second = project.module_at(tmp_path / "a.py")
    assert [statement.lineno for statement in second.parsed.tree.body] == [4]
    assert project.importers_of(tmp_path / "b.py") == []
    project.update(tmp_path / "a.py", "import b\nx = 1\n\n\ndef f():\n    pass\n")
    project.update(tmp_path / "a.py", None)
    assert project.importers_of(tmp_path / "b.py") == [tmp_path / "a.py"]
    assert type(project.module_at(tmp_path / "a.py").parsed.tree.body[1]) is type(function)


def test_importers_are_found_through_others_and_nearest_first(tmp_path: Path) -> None:
    cells = {"cells": [{"cell_type": "code", "source": ["%matplotlib inline\n", "from pkg import *"]}]}
    project = make(
        tmp_path,
        {
            "pkg/__init__.py": "from .losses import gan_loss\n",
            "pkg/losses.py": "import torch\n",
            "pkg/models/__init__.py": "",
            "pkg/models/gan.py": "def f():\n    from ..losses import (\n        gan_loss,\n    )\n",
            "train.py": "from pkg.models import gan\n",
            "run.py": "import train\n",
            "other.py": "import os\n",
            "notes.ipynb": json.dumps(cells),
            ".venv/lib/site.py": "import pkg.losses\n",
            "broken.py": "import train\nx = (\n",
            "loop.py": "import run\n",
        },
    )
    (tmp_path / "binary.py").write_bytes(b"\0\xff")
    importers = [str(path.relative_to(tmp_path)) for path in project.importers_of(tmp_path / "pkg/losses.py")]
    assert set(importers) == {
        "pkg/__init__.py",
        "pkg/models/gan.py",
        "train.py",
        "run.py",
        "notes.ipynb",
        "broken.py",
        "loop.py",
    }
    assert importers.index("pkg/models/gan.py") < importers.index("run.py") < importers.index("loop.py")
    assert project.importers_of(tmp_path / "other.py") == []


def test_circles_end(tmp_path: Path) -> None:
    project = make(tmp_path, {"a.py": "import b\n", "b.py": "import a\n"})
    assert project.importers_of(tmp_path / "a.py") == [tmp_path / "b.py"]
    assert not project.uses_torch(project.module_at(tmp_path / "a.py"))


def test_use_of_torch_is_seen_through_imports(tmp_path: Path) -> None:
    project = make(
        tmp_path,
        {
            "direct.py": "import torch\n",
            "duck.py": "def f(loss):\n    loss.backward()\n",
            "through.py": "import middle\n",
            "middle.py": "from direct import x\n",
            "none.py": "import json, alone\n",
            "alone.py": "x = 1\n",
        },
    )
    uses = {name: project.uses_torch(project.module_at(tmp_path / f"{name}.py")) for name in ("none", "alone")}
    assert uses == {"none": False, "alone": False}
    for name in ("direct", "duck", "through", "middle"):
        assert project.uses_torch(project.module_at(tmp_path / f"{name}.py")), name


def test_modules_are_read_once(tmp_path: Path) -> None:
    project = make(tmp_path, {"a.py": "import b\n", "b.py": ""})
    module = project.resolve("b", project.module_at(tmp_path / "a.py"))
    assert module is project.module_at(tmp_path / "sub" / ".." / "b.py")
    assert module is not None
    assert module.parsed is module.parsed
