"""Methods of strings, bytes and numbers: native where every value is plain, otherwise unknown."""

from __future__ import annotations

from typing import Any

from .. import iteration
from ..values import Unknown, Value
from .registry import Call, Machine, native_method

LONG = 20_000
WIDTHS = ("ljust", "rjust", "center", "zfill", "expandtabs", "to_bytes")
PLAIN = (str, bytes, int, float, type(None))


def plain(value: Value) -> bool:
    """Whether a native method can take ``value`` at no great cost."""
    if isinstance(value, str | bytes):
        return len(value) <= LONG
    if isinstance(value, tuple):
        return len(value) < 64 and all(plain(v) for v in value)
    return isinstance(value, PLAIN) and not (isinstance(value, int) and abs(value) > 1 << 64)


def delegate(kind: type, name: str, self: Value, m: Machine, call: Call) -> Value:
    """Call the native method where all is plain."""
    values = [self, *call.args, *call.kwargs.values()]
    if not all(plain(v) for v in values):
        return Unknown("text")
    if name in WIDTHS and any(isinstance(a, int) and a > LONG for a in call.args):
        return Unknown("text")
    try:
        return getattr(kind, name)(self, *call.args, **call.kwargs)
    except (TypeError, ValueError, LookupError, ArithmeticError) as error:
        return m.session.native_error(m, error, call.node)


def _register(kind: type, name: str) -> None:
    def model(m: Machine, self: Value, call: Call) -> Value:
        return delegate(kind, name, self, m, call)

    native_method(kind, name)(model)


STR = (
    "capitalize casefold center count encode endswith expandtabs find index isalnum isalpha isascii isdecimal isdigit "
    "isidentifier islower isnumeric isprintable isspace istitle isupper ljust lower lstrip partition removeprefix "
    "removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title "
    "upper zfill"
)
BYTES = "decode endswith find hex lower split startswith strip upper count"
for _name in STR.split():
    _register(str, _name)
for _name in BYTES.split():
    _register(bytes, _name)
for _kind, _names in (
    (int, "bit_length bit_count to_bytes conjugate as_integer_ratio"),
    (float, "is_integer hex as_integer_ratio conjugate"),
    (complex, "conjugate"),
):
    for _name in _names.split():
        if hasattr(_kind, _name):
            _register(_kind, _name)


@native_method(str, "join")
def _join(m: Machine, self: str, call: Call) -> Value:
    source = call.get(0, "iterable")
    if isinstance(source, Unknown):
        return source.derive(("join", self), "text")
    parts = iteration.listed(m, source, call.node)
    if all(isinstance(p, str) for p in parts) and sum(map(len, parts)) <= LONG:
        return self.join(parts)
    return Unknown("text")


@native_method(str, "format")
def _format(m: Machine, self: str, call: Call) -> Value:
    values = [*call.args, *call.kwargs.values()]
    if len(self) > LONG or not all(plain(v) for v in values):
        return Unknown("text")
    if _wide(self):
        return Unknown("text")
    try:
        return self.format(*call.args, **call.kwargs)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        return m.session.native_error(m, error, call.node)


def _wide(text: str) -> bool:
    """Whether a replacement field asks for more than 999 characters, or for a number of them given elsewhere."""
    digits = depth = 0
    for c in text.replace("{{", ""):
        depth = depth + 1 if c == "{" else max(depth - 1, 0) if c == "}" else depth
        digits = digits + 1 if c.isdigit() and depth else 0
        if digits > 3 or depth > 1:
            return True
    return False


@native_method(str, "format_map")
def _format_map(m: Machine, self: str, call: Call) -> Value:
    mapping = call.get(0, "mapping")
    if isinstance(mapping, dict) and all(isinstance(k, str) for k in mapping):
        return _format(m, self, Call(call.node, [], dict(mapping)))
    return Unknown("text")


@native_method(str, "translate", "maketrans")
def _translate(m: Machine, self: Value, call: Call) -> Value:
    return Unknown("text")


@native_method(float, "__float__")
@native_method(int, "__float__")
def _float(m: Machine, self: Any, call: Call) -> Value:
    return float(self)


@native_method(float, "fromhex")
@native_method(int, "from_bytes")
@native_method(bytes, "fromhex", "join")
def _from(m: Machine, self: Value, call: Call) -> Value:
    return Unknown("number")


# numpy scalars are plain Python numbers here: what code calls on them, they have
@native_method(float, "item", "mean", "sum", "copy", "round", "squeeze", "astype", "max", "min", "tolist")
@native_method(int, "item", "mean", "sum", "copy", "round", "squeeze", "astype", "max", "min", "tolist")
def _scalar(m: Machine, self: Any, call: Call) -> Value:
    return self
