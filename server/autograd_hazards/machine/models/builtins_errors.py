"""The exception classes of Python, and ``object`` as a base class."""

from __future__ import annotations

import ast
import builtins

from ..values import Instance, Unknown, Value
from .registry import BUILTINS, CLASSES, Call, Machine, lib_class, method, prop

lib_class("builtins.object")


def _declare(kind: type[BaseException]) -> None:
    name = f"builtins.{kind.__name__}"
    if name in CLASSES:
        return
    bases = []
    for base in kind.__bases__:
        if issubclass(base, BaseException):
            _declare(base)
            bases.append(f"builtins.{base.__name__}")
    BUILTINS[kind.__name__] = lib_class(name, *bases)


for _kind in vars(builtins).values():
    if isinstance(_kind, type) and issubclass(_kind, BaseException):
        _declare(_kind)
for _alias in ("IOError", "EnvironmentError"):
    BUILTINS[_alias] = CLASSES["builtins.OSError"]
    CLASSES[f"builtins.{_alias}"] = CLASSES["builtins.OSError"]


@method("builtins.BaseException", "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs["args"] = tuple(call.args)
    return None


@method("builtins.BaseException", "__str__", "__repr__")
def _str(m: Machine, self: Instance, call: Call) -> Value:
    args = self.attrs.get("args", ())
    if isinstance(args, tuple) and len(args) == 1 and isinstance(args[0], str):
        return args[0]
    return "" if args == () else Unknown("text")


@method("builtins.BaseException", "with_traceback")
def _with_traceback(m: Machine, self: Instance, call: Call) -> Value:
    return self


@method("builtins.BaseException", "add_note")
def _add_note(m: Machine, self: Instance, call: Call) -> Value:
    return None


@prop("builtins.BaseException", "args")
def _args(m: Machine, self: Instance, node: ast.AST) -> Value:
    return self.attrs.setdefault("args", ())


@prop("builtins.StopIteration", "value")
def _value(m: Machine, self: Instance, node: ast.AST) -> Value:
    args = self.attrs.get("args", ())
    return args[0] if isinstance(args, tuple) and args else None


@prop("builtins.SystemExit", "code")
def _code(m: Machine, self: Instance, node: ast.AST) -> Value:
    return _value(m, self, node)
