"""One folder by several names: symbolic links, drives in another case, names that URIs have to escape."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from lsprotocol import types

from autograd_hazards.lsp.uris import path_of, under, uri_of
from tests.lsp.client import Editor, Marked
from tests.lsp.programs import CLEAN
from tests.lsp.test_observed import record, seen
from tests.lsp.test_workspace_changes import last

linked = pytest.mark.skipif(sys.platform == "win32", reason="making links takes rights on Windows")

HELPER = "import torch\n\n\ndef grow(x):\n    «finding»x.add_(1)«/finding»\n"
CALLER = "import torch\n\nfrom helper import grow\n\nh = torch.exp(torch.randn(3, requires_grad=True))\ngrow(h)\nh.sum().backward()\n"


def where(uri: str) -> str:
    """The end of a URI's path."""
    return "/".join(path_of(uri).parts[-2:])


@pytest.mark.parametrize("name", ["plain", "中文 目录", "50% #1; a+b (c) [d] {e} 'f' é"])
@pytest.mark.parametrize("editor", [{}], indirect=True)
async def test_findings_of_other_files_have_names_that_lead_there(editor: Editor, name: str) -> None:
    helper = Marked(HELPER).text
    (editor.folder / name).mkdir()
    (editor.folder / name / "helper.py").write_text(helper, encoding="utf-8")
    uri = editor.open(f"{name}/main.py", CALLER, save=True)
    (failing,) = await editor.diagnostics(uri)
    assert failing.code == "AGH301" and failing.related_information is not None
    places = {where(step.location.uri) for step in failing.related_information}
    assert places == {f"{name}/helper.py", f"{name}/main.py"}
    assert {step.location.uri for step in failing.related_information if step.location.uri.endswith("main.py")} == {uri}


@linked
@pytest.mark.parametrize("editor", [{"folders": ["link"]}], indirect=True)
async def test_a_folder_that_is_opened_through_a_link(editor: Editor) -> None:
    real = editor.folder / "real"
    (real / ".autograd-hazards").mkdir(parents=True)
    (editor.folder / "link").symlink_to(real, target_is_directory=True)
    helper = Marked(HELPER)
    (real / "main.py").write_text(CALLER, encoding="utf-8")
    # By the folder's own name, and by the name that it has without links: the same file of the same project.
    for name in ("link", "real"):
        uri = editor.open(f"{name}/helper.py", helper.text, save=True)
        (found,) = await editor.diagnostics(uri)
        assert found.code == "AGH301" and found.range == helper.range("finding")
        assert found.related_information is not None
        assert {where(step.location.uri) for step in found.related_information} == {f"{name}/helper.py", "link/main.py"}
        editor.close(uri)


@linked
@pytest.mark.parametrize("editor", [{"folders": ["link"]}], indirect=True)
async def test_what_changes_on_disk_and_what_a_run_leaves_may_have_the_other_name(editor: Editor) -> None:
    real = editor.folder / "real"
    real.mkdir()
    (editor.folder / "link").symlink_to(real, target_is_directory=True)
    uri = editor.open("link/train.py", CLEAN, save=True)
    assert await editor.diagnostics(uri) == []
    # A run calls its files by their names without links.
    name = str(real / "train.py")
    record(real, [seen(name, 4)], {name: CLEAN})
    for file in ("link/.autograd-hazards/last-run.json", "real/.autograd-hazards/last-run.json"):
        event = types.FileEvent(editor.uri(file), types.FileChangeType.Created)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        await editor.until(lambda: [found.code for found in last(editor, uri)] == ["AGH101"], "what was seen")
    # Nor does a program that is told of by its other name change under the editor's hands.
    (real / "train.py").write_text("broken(\n", encoding="utf-8")
    event = types.FileEvent(editor.uri("real/train.py"), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    editor.replace(uri, "\n", "\n\n")
    assert [found.code for found in await editor.diagnostics(uri)] == ["AGH101"]


@linked
def test_links_and_cases(tmp_path: Path) -> None:
    real, link, other = tmp_path / "real", tmp_path / "link", tmp_path / "other"
    (real / "inner").mkdir(parents=True)
    other.mkdir()
    link.symlink_to(real, target_is_directory=True)
    (real / "shared").symlink_to(other, target_is_directory=True)
    assert under(real / "a.py", [link]) == link / "a.py"
    assert under(link / "a.py", [real]) == real / "a.py"
    assert under(link / "a.py", [link, real]) == link / "a.py"
    assert under(link, [real]) == real
    assert under(link / "inner" / "a.py", [real, real / "inner"]) == real / "inner" / "a.py"
    assert under(real / "shared" / "a.py", [link]) == link / "shared" / "a.py"  # a link within stays
    assert under(other / "a.py", [link]) is None
    assert under(tmp_path / "a\0.py", [link]) is None


def test_a_drive_in_another_case_is_the_same_drive() -> None:
    folder = PureWindowsPath("c:\\Users\\Ada\\项目")
    path = PureWindowsPath("C:\\users\\ada\\项目\\train.py")
    assert str(under(path, [folder])) == "c:\\Users\\Ada\\项目\\train.py"  # type: ignore[arg-type, list-item]
    posix = PurePosixPath("/users/ada/train.py")
    assert not posix.is_relative_to("/Users/Ada")


@pytest.mark.parametrize("name", ["/a/中文/x.py", "/a/50% #1;b?c/x.py", "/a/b c+d/é.py"])
def test_uris_lead_back(name: str) -> None:
    path = Path(name).absolute()
    assert path_of(uri_of(path)) == path
    assert path_of(path.as_uri()) == path
