"""Where in the user's code something happens: the chain of calls from the nearest user frame outwards.

A chain is a tuple of integers ``(code, instruction, line, code, instruction, line, …)``, innermost first, with ids of
code objects that a ``Frames`` keeps alive: cheap to make, to compare and to use as a key. ``places`` spells it out.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from types import CodeType
from typing import Any

Chain = tuple[int, ...]
USER, LIBRARY, TORCH = 1, 2, 3
LOAD, INIT, STEP, PUT_BACK, CLEAR, WRAP = (
    1,
    2,
    4,
    8,
    16,
    32,
)  # what torch is about to do in the frames between us and the user
DEPTH = 16  # user frames of a chain

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Frames:
    """Tells user code from library code, and walks the stack."""

    def __init__(self, torch_folder: str) -> None:
        self._torch = os.path.join(torch_folder, "")
        paths = sysconfig.get_paths()
        library = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib") if paths.get(name)}
        self._library = tuple(os.path.join(path, "") for path in library)
        self._kinds: dict[int, tuple[int, int]] = {}
        self._codes: dict[int, CodeType] = {}
        self._interned: dict[Chain, Chain] = {}

    def here(self) -> tuple[Chain, int]:
        """The chain that leads here, and the flags of the torch frames that lie before the user's."""
        frame: Any = sys._getframe(1)
        kinds = self._kinds
        chain: list[int] = []
        fallback: list[int] = []
        flags = 0
        while frame is not None:
            code = frame.f_code
            known = kinds.get(id(code))
            if known is None:
                known = self._classify(code)
            kind, flag = known
            if kind == USER:
                chain += (id(code), frame.f_lasti, frame.f_lineno)
                if len(chain) >= DEPTH * 3 or (
                    code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__"
                ):
                    break  # what called the program is not part of it
            elif not chain:
                flags |= flag
                if kind == LIBRARY and not fallback:
                    fallback = [id(code), frame.f_lasti, frame.f_lineno]
            frame = frame.f_back
        made = tuple(chain or fallback)
        return self._interned.setdefault(made, made), flags

    def entered(self) -> tuple[Chain, bool]:
        """Where a context of torch is entered: the ``with``, or the function that it decorates. And whether a
        checkpoint does it."""
        frame: Any = sys._getframe(1)
        within = False
        while frame is not None:
            code = frame.f_code
            kind = (self._kinds.get(id(code)) or self._classify(code))[0]
            if kind == USER:
                break
            if code.co_name == "decorate_context":
                function = frame.f_locals.get("func")
                inner = getattr(function, "__code__", None)
                if inner is not None and (self._kinds.get(id(inner)) or self._classify(inner))[0] == USER:
                    return (id(inner), -2, inner.co_firstlineno, *self.here()[0]), within
            within = within or code.co_filename.endswith("checkpoint.py")
            frame = frame.f_back
        return self.here()[0], within

    def inside(self, name: str, chain: Chain) -> bool:
        """Whether a function of that name is among the calls of a chain."""
        return any(self._codes[chain[start]].co_name == name for start in range(0, len(chain), 3))

    def owner_of_forward(self) -> Any:
        """The library module whose ``forward`` is running between here and the user's code, if any."""
        frame: Any = sys._getframe(1)
        while frame is not None:
            code = frame.f_code
            known = self._kinds.get(id(code)) or self._classify(code)
            if known[0] == USER:
                return None
            if code.co_name == "forward" and known[0] == TORCH and code.co_argcount and self._in_torch(code):
                return frame.f_locals.get(code.co_varnames[0])
            frame = frame.f_back
        return None

    def of_traceback(self, trace: Any) -> Chain:
        """The chain of the place where an exception was raised, innermost user frame first."""
        found: list[int] = []
        while trace is not None:
            code = trace.tb_frame.f_code
            kind = (self._kinds.get(id(code)) or self._classify(code))[0]
            if code.co_name == "<module>" and trace.tb_frame.f_globals.get("__name__") == "__main__":
                found = []
            if kind == USER:
                found[:0] = [id(code), trace.tb_lasti, trace.tb_lineno]
            trace = trace.tb_next
        return tuple(found[: DEPTH * 3])

    def _in_torch(self, code: CodeType) -> bool:
        return code.co_filename.startswith(self._torch)

    def _classify(self, code: CodeType) -> tuple[int, int]:
        filename = code.co_filename
        flag = 0
        if filename.startswith(_HERE):
            kind = TORCH
        elif filename.startswith(self._torch):
            kind = TORCH
            name = code.co_name
            if name in ("load_state_dict", "_load_from_state_dict"):
                flag = LOAD
            elif filename.endswith("init.py") and not filename.endswith("__init__.py"):
                flag = INIT
            elif name in ("zero_grad", "clip_grad_norm_", "clip_grad_value_", "_clip_grads_with_norm_"):
                flag = CLEAR
            elif os.sep + "distributed" + os.sep in filename or os.sep + "parallel" + os.sep in filename:
                flag = WRAP
            elif os.sep + "optim" + os.sep in filename:
                flag = STEP
            elif filename.endswith("gradcheck.py"):
                flag = PUT_BACK  # it writes, computes, and writes back
        elif filename.startswith("<ipython-input") or "ipykernel_" in filename or filename == "<stdin>":
            kind = USER
        elif filename.startswith(("<", *self._library)) or "site-packages" in filename or "dist-packages" in filename:
            kind = LIBRARY
        else:
            kind = USER
        self._codes[id(code)] = code
        self._kinds[id(code)] = kind, flag
        return kind, flag

    def places(self, chain: Chain) -> list[dict[str, Any]]:
        """The chain as plain data: file, rows (from 1), columns (UTF-8 bytes from 0, or None), function."""
        found = []
        for start in range(0, len(chain), 3):
            code, instruction, line = self._codes[chain[start]], chain[start + 1], chain[start + 2]
            end: int = line
            column: int | None = None
            end_column: int | None = None
            positions = getattr(code, "co_positions", None)
            if positions is not None:
                spans = list(positions())
                span = spans[instruction // 2] if 0 <= instruction // 2 < len(spans) else (None,) * 4
                if span[0] is not None and span[1] is not None and span[2] is not None:
                    line, end, column, end_column = span[0], span[1], span[2], span[3]
            filename = code.co_filename
            if not filename.startswith("<"):
                filename = os.path.abspath(filename)
            found.append(
                {
                    "file": filename,
                    "row": line,
                    "end_row": end,
                    "column": column,
                    "end_column": end_column,
                    "function": code.co_name,
                }
            )
        return found
