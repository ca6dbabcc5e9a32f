"""The other builtin functions: length, attributes, types, numbers, text, scopes."""

from __future__ import annotations

import ast
import types
from typing import Any

from ... import torchdb
from .. import attributes, calls, operators
from ..core import Raised
from ..tensor import Tensor
from ..values import (
    BoundMethod,
    Function,
    Instance,
    LibClass,
    LibFunction,
    LibValue,
    ModuleValue,
    NoGradWrapped,
    Partial,
    Super,
    Unknown,
    UserClass,
    Value,
)
from .registry import BUILTINS, MISSING, Call, Machine, function

SIMPLE = (str, int, float, complex, bytes, type(None), type(...))
BUILTINS["NotImplemented"] = NotImplemented
BUILTINS["Ellipsis"] = ...
BUILTINS["__debug__"] = True


@function("builtins.len")
def _len(m: Machine, call: Call) -> Value:
    return attributes.length(m, call.get(0, "obj"), call.node)


@function("builtins.print", "builtins.breakpoint", "builtins.help")
def _print(m: Machine, call: Call) -> Value:
    return None


@function("builtins.input")
def _input(m: Machine, call: Call) -> Value:
    return Unknown("input")


@function("builtins.open")
def _open(m: Machine, call: Call) -> Value:
    return Unknown("file")


@function("builtins.eval", "builtins.exec", "builtins.compile", "builtins.memoryview")
def _opaque(m: Machine, call: Call) -> Value:
    return Unknown("evaluated text")


@function("builtins.exit", "builtins.quit")
def _exit(m: Machine, call: Call) -> Value:
    raise Raised(m.session.make_exception("SystemExit", ""), m.here(call.node))


@function("builtins.__import__")
def _import(m: Machine, call: Call) -> Value:
    name = call.get(0, "name")
    return m.session.registry.resolve(name.partition(".")[0]) if isinstance(name, str) else Unknown("module")


# -- attributes -------------------------------------------------------------------------------------------------------
@function("builtins.hasattr")
def _hasattr(m: Machine, call: Call) -> Value:
    owner, name = call.get(0, "obj"), call.get(1, "name")
    if not isinstance(name, str):
        return Unknown("hasattr")
    return has_attribute(m, owner, name, call.node)


def has_attribute(m: Machine, owner: Value, name: str, node: ast.AST) -> Value:
    """Whether ``owner`` has the attribute, where the model can tell."""
    if isinstance(owner, Unknown):
        return owner.derive(("hasattr", name))
    if isinstance(owner, LibValue):
        found = m.session.registry.resolve(f"{owner.name}.{name}")
        return Unknown("hasattr") if isinstance(found, LibValue) else True
    if isinstance(owner, Tensor):
        registry = m.session.registry
        if name in registry.tensor_methods or name in registry.tensor_props:
            return True
        if m.session.tensor_method(name) is not None or (owner.attrs is not None and name in owner.attrs):
            return True
        found = attributes.get_or_missing(m, owner, name, node)
        return False if found is attributes.MISSING else torchdb.is_tensor_attribute(name) or Unknown("hasattr")
    value = attributes.get_or_missing(m, owner, name, node)
    if value is not MISSING and value is not attributes.MISSING:
        return True
    if isinstance(owner, Instance):
        getter = attributes.class_attribute(owner.cls, "__getattr__")
        if isinstance(getter, Function):
            found = ask_getattr(m, owner, getter, name, node)
            return Unknown("hasattr") if isinstance(found, Unknown) else found is not MISSING
        if getter is not attributes.MISSING:
            return Unknown("hasattr")
        known = not owner.cls.open if isinstance(owner.cls, UserClass) else owner.cls.exact
        return False if known else Unknown("hasattr")
    return False


@function("builtins.getattr")
def _getattr(m: Machine, call: Call) -> Value:
    owner, name = call.get(0, "obj"), call.get(1, "name")
    if isinstance(name, Unknown) and isinstance(name.likely(), str) and not isinstance(owner, Unknown):
        m.guessed, name = True, name.likely()
    if not isinstance(name, str):
        if isinstance(owner, Unknown) and isinstance(name, Unknown):
            return owner.derive(("getattr", id(name)))
        return Unknown("attribute")
    if len(call.args) < 3:
        return attributes.get_attribute(m, owner, name, call.node)
    if isinstance(owner, Unknown | LibValue | Tensor):
        value = attributes.get_or_missing(m, owner, name, call.node)
        return call.args[2] if value is attributes.MISSING else value
    present = has_attribute(m, owner, name, call.node)
    if present is False:
        return call.args[2]
    if present is True:
        return attributes.get_attribute(m, owner, name, call.node)
    return Unknown(name)


def ask_getattr(m: Machine, owner: Instance, getter: Function, name: str, node: ast.AST) -> Value:
    """What the user's ``__getattr__`` gives; MISSING when it raises AttributeError."""
    waiting = m.tracks.setdefault("suppressed", [])
    waiting.append({"AttributeError"})
    try:
        return calls.call(m, attributes.bind(getter, owner), [name], {}, node)
    except Raised as error:
        if isinstance(error.value, Instance) and error.value.is_a("builtins.AttributeError"):
            return MISSING
        raise
    finally:
        waiting.pop()


@function("builtins.setattr")
def _setattr(m: Machine, call: Call) -> Value:
    owner, name, value = call.get(0, "obj"), call.get(1, "name"), call.get(2, "value")
    if isinstance(name, str):
        attributes.set_attribute(m, owner, name, value, call.node)
    else:
        attributes.set_attribute(
            m, owner, f"<attribute {m.next_seq()}>", value, call.node
        )  # some attribute: a layer stays registered
        m.ledger.escaped([value], call.node)
    return None


@function("builtins.delattr")
def _delattr(m: Machine, call: Call) -> Value:
    owner, name = call.get(0, "obj"), call.get(1, "name")
    if isinstance(owner, Instance | UserClass | ModuleValue | Function):
        owner.attrs.pop(name, None)
    return None


@function("builtins.vars")
def _vars(m: Machine, call: Call) -> Value:
    if not call.args:
        return m.frame.locals
    owner = call.args[0]
    if isinstance(owner, Instance | UserClass | ModuleValue):
        return owner.attrs
    return owner.derive("vars") if isinstance(owner, Unknown) else Unknown("vars")


@function("builtins.dir")
def _dir(m: Machine, call: Call) -> Value:
    owner = call.args[0] if call.args else None
    if isinstance(owner, Instance) and isinstance(owner.cls, UserClass) and not owner.cls.open:
        return sorted({*owner.attrs, *(n for c in owner.cls.mro() for n in c.attrs)})
    return Unknown("dir")


@function("builtins.locals")
def _locals(m: Machine, call: Call) -> Value:
    return m.frame.locals


@function("builtins.globals")
def _globals(m: Machine, call: Call) -> Value:
    return m.frame.module.attrs


@function("builtins.callable")
def _callable(m: Machine, call: Call) -> Value:
    value = call.get(0, "obj")
    if isinstance(value, Unknown):
        return value.role == "module" or value.derive("callable")
    if isinstance(value, Instance):
        if attributes.find(m, value, "__call__") is not None:
            return True
        return Unknown("callable") if isinstance(value.cls, LibClass) or value.cls.open else False
    if isinstance(value, LibValue):
        return Unknown("callable")
    return isinstance(value, (Function, BoundMethod, LibFunction, NoGradWrapped, Partial, UserClass, LibClass, type))


# -- types ------------------------------------------------------------------------------------------------------------
@function("builtins.isinstance")
def _isinstance(m: Machine, call: Call) -> Value:
    value, cls = call.get(0, "obj"), flat_classes(call.get(1, "class_or_tuple"))
    answer = attributes.is_instance(m, value, cls)
    if answer is not None:
        return answer
    if isinstance(value, Unknown):
        key = tuple(map(_class_key, cls)) if isinstance(cls, tuple) else _class_key(cls)
        return value.derive(("isinstance", key))
    return Unknown("isinstance")


def _class_key(cls: Value) -> Any:
    return cls.name if isinstance(cls, LibValue) else id(cls)


def flat_classes(cls: Value) -> Value:
    """The classes of a union or nested tuple as one tuple; a single class stays as it is."""
    if isinstance(cls, types.UnionType):
        return tuple(type(None) if a is None else a for a in cls.__args__)
    if isinstance(cls, tuple):
        flat: list[Value] = []
        for c in cls:
            inner = flat_classes(c)
            flat.extend(inner if isinstance(inner, tuple) else (inner,))
        return tuple(flat)
    return cls


@function("builtins.issubclass")
def _issubclass(m: Machine, call: Call) -> Value:
    cls, wanted = call.get(0, "cls"), flat_classes(call.get(1, "class_or_tuple"))
    options = wanted if isinstance(wanted, tuple) else (wanted,)
    if isinstance(cls, Unknown):
        return cls.derive(("issubclass", tuple(map(_class_key, options))))
    if isinstance(cls, type):
        return any(isinstance(o, type) and issubclass(cls, o) for o in options)
    if isinstance(cls, UserClass | LibClass):
        if any(o in cls.mro() or o is object for o in options if isinstance(o, UserClass | LibClass | type)):
            return True
        if any(isinstance(o, type) and cls.is_a(f"builtins.{o.__name__}") for o in options):
            return True
        if (isinstance(cls, UserClass) and cls.open) or any(isinstance(o, Unknown | LibValue) for o in options):
            return Unknown("issubclass")
        return False
    return Unknown("issubclass")


@function("builtins.super")
def _super(m: Machine, call: Call) -> Value:
    if len(call.args) != 2:
        return Unknown("super")
    cls, subject = call.args
    if not isinstance(cls, UserClass | LibClass) or not isinstance(subject, Instance | UserClass):
        return Unknown("super")
    return Super(cls, subject)


@function("builtins.id")
def _id(m: Machine, call: Call) -> Value:
    return id(call.get(0, "obj"))


@function("builtins.hash")
def _hash(m: Machine, call: Call) -> Value:
    value = call.get(0, "obj")
    if isinstance(value, Instance):
        method = attributes.find(m, value, "__hash__")
        return calls.call(m, method, [], {}, call.node) if method is not None else id(value)
    if isinstance(value, Unknown):
        return value.derive("hash")
    return hash(value) if operators.hashable(value) and not isinstance(value, str | tuple) else Unknown("hash")


# -- numbers ----------------------------------------------------------------------------------------------------------
def _native(m: Machine, call: Call, func: Any, *values: Value) -> Value:
    """Apply a native function where every value is plain; errors are the program's."""
    for value in values:
        if isinstance(value, Unknown):
            return value.derive((func.__name__, *(v if isinstance(v, SIMPLE) else id(v) for v in values)))
        if not isinstance(value, SIMPLE):
            return Unknown(func.__name__)
    try:
        return func(*values)
    except (TypeError, ValueError, ArithmeticError) as error:
        return m.session.native_error(m, error, call.node)


def _special(m: Machine, value: Value, name: str, args: list[Value], node: ast.AST) -> Value:
    """The result of a special method of an instance; MISSING when there is none."""
    if not isinstance(value, Instance):
        return MISSING
    method = attributes.find(m, value, name)
    return calls.call(m, method, args, {}, node) if method is not None else MISSING


@function("builtins.abs")
def _abs(m: Machine, call: Call) -> Value:
    value = call.get(0, "x")
    if isinstance(value, Tensor):
        return m.session.ops.tensor_method(m, value, "abs", [], {}, call.node)
    special = _special(m, value, "__abs__", [], call.node)
    return special if special is not MISSING else _native(m, call, abs, value)


@function("builtins.round")
def _round(m: Machine, call: Call) -> Value:
    value, digits = call.get(0, "number"), call.get(1, "ndigits")
    if isinstance(value, Tensor):
        return m.session.ops.tensor_method(m, value, "round", [], {}, call.node)
    special = _special(m, value, "__round__", [] if digits is None else [digits], call.node)
    if special is not MISSING:
        return special
    return _native(m, call, round, value) if digits is None else _native(m, call, round, value, digits)


@function("builtins.divmod")
def _divmod(m: Machine, call: Call) -> Value:
    left, right = call.get(0, "x"), call.get(1, "y")
    if isinstance(left, SIMPLE) and isinstance(right, SIMPLE):
        return _native(m, call, divmod, left, right)
    return (
        operators.binary(m, ast.FloorDiv(), left, right, call.node),
        operators.binary(m, ast.Mod(), left, right, call.node),
    )


@function("builtins.pow")
def _pow(m: Machine, call: Call) -> Value:
    base, exponent, modulus = call.get(0, "base"), call.get(1, "exp"), call.get(2, "mod")
    if modulus is not None:
        return _native(m, call, pow, base, exponent, modulus)
    return operators.binary(m, ast.Pow(), base, exponent, call.node)


@function("builtins.bin")
def _bin(m: Machine, call: Call) -> Value:
    return _native(m, call, bin, call.get(0, "number"))


@function("builtins.hex")
def _hex(m: Machine, call: Call) -> Value:
    return _native(m, call, hex, call.get(0, "number"))


@function("builtins.oct")
def _oct(m: Machine, call: Call) -> Value:
    return _native(m, call, oct, call.get(0, "number"))


@function("builtins.ord")
def _ord(m: Machine, call: Call) -> Value:
    return _native(m, call, ord, call.get(0, "c"))


@function("builtins.chr")
def _chr(m: Machine, call: Call) -> Value:
    return _native(m, call, chr, call.get(0, "i"))


# -- text -------------------------------------------------------------------------------------------------------------
def printable(value: Value, room: int) -> bool:
    """Whether Python's own ``str`` of a small container is what the program would see."""
    if isinstance(value, dict):
        return type(value) is dict and len(value) < room and all(printable([*p], room // 2) for p in value.items())
    if isinstance(value, list | tuple):
        return type(value) in (list, tuple) and len(value) < room and all(printable(v, room // 2) for v in value)
    return isinstance(value, SIMPLE) and not endless(value)


def endless(value: Value) -> bool:
    """Whether a number has more digits than Python writes out."""
    return isinstance(value, int) and value.bit_length() > 4096


def text_of(m: Machine, value: Value, node: ast.AST, name: str = "str") -> Value:
    """``str(value)`` or ``repr(value)`` where it is plain or the user wrote it."""
    if isinstance(value, SIMPLE) and not endless(value):
        return str(value) if name == "str" else repr(value)
    if isinstance(value, Instance):
        for special in ("__str__", "__repr__") if name == "str" else ("__repr__",):
            method = attributes.find(m, value, special)
            if method is not None:
                return calls.call(m, method, [], {}, node)
    if isinstance(value, list | tuple | dict) and printable(value, 64):
        return str(value)
    return value.derive(name, "text") if isinstance(value, Unknown) else Unknown("text")


@function("builtins.repr", "builtins.ascii")
def _repr(m: Machine, call: Call) -> Value:
    return text_of(m, call.get(0, "obj"), call.node, "repr")


@function("builtins.format")
def _format(m: Machine, call: Call) -> Value:
    value, spec = call.get(0, "value"), call.get(1, "format_spec", "")
    if isinstance(value, int | float | str) and isinstance(spec, str) and len(spec) < 16 and not operators.wide(spec):
        return _native(m, call, format, value, spec)
    return Unknown("text")
