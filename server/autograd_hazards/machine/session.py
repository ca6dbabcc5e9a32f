"""What all runs of an analysis share: the project, the models, the limits."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from .core import Machine, Raised
from .frames import Frame
from .models import load_models
from .models.registry import CLASSES, Registry
from .syntax import walk
from .values import Function, Instance, LibClass, LibFunction, Unknown, Value

MOST_FOLLOWED = 1_500_000  # characters of the modules that one analysis reads
FEWER_FOLLOWED = 500_000  # where that is not all: then no file shares with another what was made of them


@dataclass
class Limits:
    """Bounds of one run and of one file's analysis. Steps count statements and calls."""

    steps: int = 120_000
    runs: int = 8
    seconds: float = 2.5  # of processor time, for one entry
    total: float = 6.0  # of processor time, for one file
    hasty: bool = False  # a first look: the steps are those of all runs of an entry together


@dataclass
class Session:
    project: Any
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        load_models()
        from . import interp
        from .models import torch_ops

        self.registry = Registry()
        self.interp = interp
        self.ops = torch_ops
        self.deadline = math.inf  # of the runs of one entry, as time.thread_time() tells it
        self._resolved: dict[Any, Any] = {}
        self._methods: dict[str, Any] = {}
        self._pure: dict[Any, bool] = {}
        self.definitions: dict[Any, Any] = {}  # modules loaded for entries that only need their definitions
        self.method_functions: dict[str, Any] = {}
        self._closures: dict[Any, tuple[list[Any], bool]] = {}
        self.followed: set[Any] | None = None  # paths of the modules whose code is read in this analysis; None: of all
        self.loaded: dict[str, Any] = {}  # modules that any run has executed, by path

    def resolve(self, name: str, importer: Any, level: int) -> Any:
        """The project's module of that name as seen from ``importer``; None when it is a library's."""
        key = name, getattr(importer, "path", None), level
        if key not in self._resolved:
            self._resolved[key] = self.project.resolve(name, importer, level)
        return self._resolved[key]

    def follow(self, modules: Sequence[Any]) -> list[Any]:
        """Choose the modules whose code is read: all that ``modules`` import, or the nearest where that is too much."""
        key = (getattr(self.project, "generation", 0), *(module.path for module in modules))
        known = self._closures.get(key)
        if known is None:
            self._closures = {k: v for k, v in self._closures.items() if k[0] == key[0]}
            known = self._closures[key] = self._closure(modules)
        followed, whole = known
        if not whole or self.followed is not None:  # what was made of a part of the modules is not true of another
            self.definitions.clear()
            self._pure.clear()
        self.followed = None if whole else {module.path for module in followed}
        return followed

    def _closure(self, modules: Sequence[Any]) -> tuple[list[Any], bool]:
        """What ``modules`` import, nearest first, and whether that is all of it."""
        nearest = {module.path: module for module in modules}
        pending = list(modules)
        read = 0
        near = len(modules)
        for index, module in enumerate(pending):
            read += len(module.text)
            if read <= FEWER_FOLLOWED:
                near = max(near, index + 1)
            if read > MOST_FOLLOWED:
                return list(nearest.values())[:near], False
            for other in self.project.imported_by(module):
                if other.path not in nearest:
                    nearest[other.path] = other
                    pending.append(other)
        return list(nearest.values()), True

    def forget(self, paths: Collection[Any]) -> None:
        """Forget what was made of these files, since they have changed or import one that has."""
        for path in paths:
            self.definitions.pop(path, None)
            self._pure.pop(path, None)

    def follows(self, module: Any) -> bool:
        return self.followed is None or module.path in self.followed

    def is_pure(self, module: Any) -> bool:
        """Whether a module and all project modules it imports only define things: then one execution serves all runs."""
        known = self._pure.get(module.path)
        if known is None:
            self._pure[module.path] = True  # for circles
            known = not does_work(module.parsed.tree) and all(
                self.is_pure(o) for o in self.project.imported_by(module) if self.follows(o)
            )
            self._pure[module.path] = known
        return known

    def tensor_method(self, name: str) -> Callable[..., Value] | None:
        """The model of a Tensor method that only the op table knows."""
        if name not in self._methods:
            self._methods[name] = self.ops.table_method(name)
        found: Callable[..., Value] | None = self._methods[name]
        return found

    def make_exception(self, name: str, message: str) -> Instance:
        cls = CLASSES.get(f"builtins.{name}") or CLASSES["builtins.Exception"]
        made = Instance(cls)
        made.attrs["args"] = (message,)
        return made

    def native_error(self, m: Machine, error: Exception, node: ast.AST, owner: Value = None) -> Value:
        """An exception of a native operation: raised where the program would catch it, otherwise the value is unknown.

        Our values are not always exact, so an exception that nobody expects must not end the path.
        """
        name = type(error).__name__
        if any(name in names for names in m.tracks.get("suppressed", ())) or _expected(m, name):
            raise Raised(self.make_exception(type(error).__name__, str(error)), m.here(node))
        m.fail(name, str(error), m.here(node))
        return Unknown(type(error).__name__)

    def symbolic_call(
        self, m: Machine, func: Unknown, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[Value] | None:
        from . import symbolic

        return symbolic.call_unknown(m, func, args, kwargs, node)

    def library_set(self, m: Machine, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        """Assignment to a library's attribute (``torch.backends.cudnn.benchmark = True``), or a method given to a class."""
        if isinstance(owner, LibClass):
            m.patches[owner, name] = value


def session_of(project: Any, limits: Limits) -> Session:
    """The session of a project: what it has loaded serves later analyses until a file of the project changes."""
    project.trim()
    found = project.session
    if not isinstance(found, Session):
        found = project.session = Session(project, limits)
    found.limits = limits
    found.loaded.clear()
    return found


def does_work(tree: ast.Module) -> bool:
    """Whether a module does anything when it is run, beyond definitions and imports."""
    for stmt in tree.body:
        if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            continue
        if isinstance(stmt, ast.Assign) and any(isinstance(t, ast.Attribute | ast.Subscript) for t in stmt.targets):
            return True
        if any(isinstance(n, ast.Call | ast.AugAssign | ast.For | ast.While) for n in walk(stmt)):
            return True
    return False


def _expected(m: Machine, name: str) -> bool:
    """Whether a try statement around catches this exception by its own name or a narrow base of it."""
    accepted = (
        {name, "LookupError"}
        if name in ("KeyError", "IndexError")
        else {name, "ArithmeticError"}
        if name == "ZeroDivisionError"
        else {name}
    )
    frame: Frame | None = m.frame
    while frame is not None:
        stmt = frame.stmt
        if stmt is not None and _inside_try(frame, accepted):
            return True
        frame = frame.caller
    return False


def _tries_around(body: ast.AST, row: int) -> list[ast.Try]:
    """The try statements that a row of ``body`` lies in, outermost first."""
    found: list[ast.Try] = []
    pending: list[Any] = [body]
    for node in pending:
        if isinstance(node, ast.Try):
            found.append(node)
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                pending.extend(
                    n for n in inner if getattr(n, "lineno", row) <= row <= (getattr(n, "end_lineno", None) or row)
                )
    return found


def _inside_try(frame: Any, accepted: set[str]) -> bool:
    function = frame.function
    body: Any = function.node if isinstance(function, Function) else frame.module.source.parsed.tree
    row = frame.stmt.lineno
    for node in _tries_around(body, row):
        if node.body[0].lineno <= row <= (node.body[-1].end_lineno or 0):
            for handler in node.handlers:
                names = [handler.type] if not isinstance(handler.type, ast.Tuple) else handler.type.elts
                if any(n is None or (isinstance(n, ast.Name) and n.id in accepted) for n in names):
                    return True
                if any(isinstance(n, ast.Name) and n.id == "Exception" for n in names):
                    return True
    return False


__all__ = ["LibFunction", "Limits", "Session"]
