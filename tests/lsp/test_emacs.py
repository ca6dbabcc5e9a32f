"""Emacs with eglot: diagnostics, hover, a fix applied, as docs/editors.md sets it up. For Emacs 29 or one with eglot."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.client import REPOSITORY, Marked
from tests.lsp.programs import SAVED_CHANGED

EMACS = shutil.which("emacs")

SCRIPT = """
(package-initialize)
%s
(setq eglot-connect-timeout 120 eglot-sync-connect 120)
(find-file (getenv "FILE"))
(eglot-ensure)
(run-hooks 'post-command-hook)
(defun until (ready)
  (let ((tries 1200))
    (while (and (> tries 0) (not (funcall ready)))
      (accept-process-output nil 0.05)
      (setq tries (1- tries)))))
(until (lambda () (eglot-current-server)))
(until (lambda () (flymake-diagnostics)))
(let* ((found (car (flymake-diagnostics)))
       (start (flymake-diagnostic-beg found))
       (server (eglot-current-server)))
  (goto-char start)
  (let* ((line (line-number-at-pos))
         (text (buffer-substring-no-properties start (flymake-diagnostic-end found)))
         (hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams)))
         (actions (jsonrpc-request server :textDocument/codeAction
                    (list :textDocument (eglot--TextDocumentIdentifier)
                          :range (list :start (eglot--pos-to-lsp-position start) :end (eglot--pos-to-lsp-position start))
                          :context (list :diagnostics []))))
         (best (seq-find (lambda (action) (eq t (plist-get action :isPreferred))) actions))
         (full (if (plist-get best :edit) best (jsonrpc-request server :codeAction/resolve best)))
         (said (flymake-diagnostic-text found)))
    (eglot--apply-workspace-edit (plist-get full :edit))
    ;; Without a person at the keyboard nothing becomes idle, which is when changes are sent and flymake looks again.
    (eglot--signal-textDocument/didChange)
    (flymake-start)
    (until (lambda () (not (flymake-diagnostics))))
    (with-temp-file (getenv "RESULT")
      (insert (json-encode
               (list :row line :text text :said said
                     :hover (plist-get (plist-get hover :contents) :value)
                     :left (length (with-current-buffer (get-file-buffer (getenv "FILE")) (flymake-diagnostics)))
                     :after (with-current-buffer (get-file-buffer (getenv "FILE")) (buffer-string))))))))
(kill-emacs 0)
"""


def setup() -> str:
    """The set-up that docs/editors.md gives."""
    page = (REPOSITORY / "docs" / "editors.md").read_text(encoding="utf-8")
    return next(block for block in re.findall(r"```elisp\n(.*?)```", page, re.DOTALL) if "eglot" in block)


def has_eglot() -> bool:
    """Whether there is an Emacs that has eglot."""
    if EMACS is None:
        return False
    command = [
        EMACS,
        "--batch",
        "--eval",
        "(package-initialize)",
        "--eval",
        "(kill-emacs (if (require 'eglot nil t) 0 1))",
    ]
    return subprocess.run(command, capture_output=True, timeout=120).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="no Emacs with eglot is installed")
def test_emacs_shows_findings_and_applies_a_fix(tmp_path: Path) -> None:
    assert EMACS is not None
    marked = Marked("# 名 😀\n" + SAVED_CHANGED)
    (tmp_path / "pyproject.toml").write_text("")
    file = tmp_path / "train.py"
    file.write_text(marked.text, encoding="utf-8")
    command = f'({json.dumps(sys.executable)} "-m" "autograd_hazards" "server")'
    mine = setup().replace('("autograd-hazards" "server")', command)
    assert command in mine
    script = tmp_path / "script.el"
    script.write_text(SCRIPT % mine, encoding="utf-8")
    result = tmp_path / "result.json"
    environment = {
        **os.environ,
        "RESULT": str(result),
        "FILE": str(file),
        "PYTHONPATH": str(REPOSITORY / "server"),
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        [EMACS, "--batch", "-l", str(script)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.exists(), done.stderr[-4000:]
    told = json.loads(result.read_text(encoding="utf-8"))
    assert told["row"] == marked.position("finding").line + 1
    assert told["text"] == "grown.add_(1)" and "AGH301" in told["said"]
    assert "AGH301" in told["hover"] and "torch raises an error" in told["hover"]
    assert told["left"] == 0 and told["after"] != marked.text
