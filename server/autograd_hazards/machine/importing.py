"""Imports: project modules are executed once per run; everything else is a library value."""

from __future__ import annotations

import ast
from typing import Any, cast

from . import assign, execute
from .core import Machine, Raised
from .frames import Frame
from .values import MISSING, LibValue, ModuleValue, Unknown, Value

SKIPPED = (ast.For, ast.While, ast.With, ast.Expr)  # module-level work that an entry's definitions do not need


def load(m: Machine, module: Any) -> ModuleValue:
    """The module's value, executed on first use (also when imports form a circle)."""
    found = m.modules.get(module.path)
    if (
        found is None
        and m.modules is not m.session.definitions
        and m.session.follows(module)
        and m.session.is_pure(module)
    ):
        found = m.modules[module.path] = _shared(m, module)
    if found is None:
        found = ModuleValue(module.name, str(module.path), module)
        m.modules[module.path] = found
        if m.session.follows(module):
            run_module(m, found, module.name)
            m.look = 0  # reading it may have taken long
    value: ModuleValue = found
    return value


def _shared(m: Machine, module: Any) -> ModuleValue:
    """A module that only defines things is executed once for all runs."""
    own, m.modules = m.modules, m.session.definitions
    try:
        return load(m, module)
    finally:
        m.modules = own


def run_module(m: Machine, value: ModuleValue, name: str) -> None:
    value.attrs["__name__"] = name
    value.attrs["__file__"] = value.path
    value.attrs["__doc__"] = None
    tree = value.source.parsed.tree
    outer = cast("Frame | None", m.frame)  # the first module of a run has no caller
    frame = Frame(value, None, None, outer, outer.stmt if outer is not None else None, value.attrs)
    loops, handlers = m.loops, m.handlers
    m.frame, m.handlers = frame, []
    try:
        run_statements(m, tree.body)
    finally:
        m.handlers = handlers
        if outer is not None:
            m.frame, m.loops = outer, loops


def run_statements(m: Machine, body: list[ast.stmt]) -> None:
    """Module level: an exception ends the module, as it would end the program."""
    if m.tracks.get("definitions only"):
        body = [s for s in body if not isinstance(s, SKIPPED)]
    frame = m.frame
    unread = list(getattr(frame.module.source.parsed, "unread", ()))
    try:
        for stmt in body:
            while unread and unread[0][0] < stmt.lineno:
                frame.locals[unread.pop(0)[1]] = Unknown("what cannot be read")
            try:
                execute.run_block(m, [stmt])
            except RecursionError:  # nested more deeply than can be followed: that costs this statement only
                m.frame, m.loops, m.handlers = frame, (), []
    except Raised as error:
        m.ledger.uncaught(error)


def run_import(m: Machine, node: ast.Import) -> None:
    for alias in node.names:
        top, _, rest = alias.name.partition(".")
        if alias.asname:
            assign.bind_name(m, alias.asname, import_name(m, alias.name, 0), node)
        else:
            value = import_name(m, top, 0)
            if rest:
                import_name(m, alias.name, 0)
            assign.bind_name(m, top, value, node)


def run_import_from(m: Machine, node: ast.ImportFrom) -> None:
    module = resolve(m, node.module or "", node.level)
    if module is None:
        name = node.module or ""
        for alias in node.names:
            if alias.name == "*":
                m.frame.module.star_unknown.append(name)
            else:
                assign.bind_name(
                    m, alias.asname or alias.name, m.session.registry.resolve(f"{name}.{alias.name}"), node
                )
        return
    value = load(m, module)
    for alias in node.names:
        if alias.name == "*":
            _star(m, value)
            continue
        found = value.attrs.get(alias.name, MISSING)
        if found is MISSING:
            found = submodule(m, value, alias.name)
        if found is MISSING:
            from . import attributes

            found = attributes.get_attribute(m, value, alias.name, node)
        assign.bind_name(m, alias.asname or alias.name, found, node)


def _star(m: Machine, value: ModuleValue) -> None:
    names = value.attrs.get("__all__")
    if not isinstance(names, list | tuple):
        names = [n for n in value.attrs if not n.startswith("_")]
    for name in names:
        if isinstance(name, str) and name in value.attrs:
            m.frame.locals[name] = value.attrs[name]
    m.frame.module.star_unknown.extend(value.star_unknown)


def resolve(m: Machine, name: str, level: int) -> Any:
    importer = m.frame.module.source
    return m.session.resolve(name, importer, level)


def import_name(m: Machine, name: str, level: int) -> Value:
    module = resolve(m, name, level)
    if module is not None:
        return load(m, module)
    return m.session.registry.resolve(name) if "." in name else LibValue(name)


def submodule(m: Machine, owner: ModuleValue, name: str) -> Value:
    if not getattr(owner.source, "is_package", False):
        return MISSING
    module = m.session.resolve(f"{owner.name}.{name}", owner.source, 0)
    if module is None:
        module = m.session.resolve(name, owner.source, 1)
    return MISSING if module is None else load(m, module)
