"""The values that the abstract machine computes with.

Immutable Python values and containers are represented by themselves (``int``, ``str``, ``list``, ``dict``, …): a
container simply holds abstract values. Everything else is one of the classes here, or a ``Tensor`` (see tensor.py).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .frames import Frame

Value = Any
MISSING: Any = object()  # no such attribute, name or argument
NUMBER = "number"  # facet of an Unknown: it is a number of Python, whatever its value
LIKELY = "likely"  # facet of an Unknown: the value that picks an item or attribute when one must be picked


class Unknown:
    """A value of which nothing is known. It raises no finding by itself.

    The same question about the same Unknown gets the same Unknown back (``memo``), so a condition asked twice on one
    path is decided once. ``role`` is what its use in the source suggests (``module``, ``optimizer``, ``loss``, …).
    """

    __slots__ = ("facets", "memo", "role", "why")

    def __init__(self, why: str = "", role: str = "") -> None:
        self.why = why
        self.role = role
        self.memo: dict[Any, Any] | None = None
        self.facets: dict[str, Any] | None = None

    def derive(self, key: Any, why: str = "", make: Callable[[], Any] | None = None) -> Any:
        if self.memo is None:
            self.memo = {}
        found = self.memo.get(key, self)
        if found is self:
            found = self.memo[key] = make() if make is not None else Unknown(why or self.why)
            if make is None and self.facets and "cuts" in self.facets:
                found.facets = {"cuts": self.facets["cuts"]}
            if self.facets and "cuts" in self.facets and type(found) is Unknown:
                found.facet("cuts", lambda: self.facets["cuts"])  # what is computed from a cut value inherits the cut
        return found

    def facet(self, name: str, make: Callable[[], Any]) -> Any:
        if self.facets is None:
            self.facets = {}
        if name not in self.facets:
            self.facets[name] = make()
        return self.facets[name]

    @property
    def is_number(self) -> bool:
        return self.facets is not None and NUMBER in self.facets

    def likely(self) -> Any:
        """What it would be if nobody chose otherwise: for looking up one of several things, never for decisions."""
        return self.facets.get(LIKELY, self) if self.facets else self

    def __repr__(self) -> str:
        return f"<unknown {self.why}>"


class Function:
    """A function of the user's source, with the frame that encloses it."""

    __slots__ = (
        "attrs",
        "cls",
        "defaults",
        "enclosing",
        "is_generator",
        "kw_defaults",
        "locals_",
        "module",
        "name",
        "node",
    )

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        module: ModuleValue,
        enclosing: Frame | None,
        defaults: list[Value],
        kw_defaults: list[Value],
        cls: UserClass | None,
    ) -> None:
        self.node = node
        self.name = getattr(node, "name", "<lambda>")
        self.module = module
        self.enclosing = enclosing
        self.defaults = defaults
        self.kw_defaults = kw_defaults
        self.cls = cls
        self.attrs: dict[str, Value] = {}
        self.is_generator: bool | None = None

    def __repr__(self) -> str:
        return f"<function {self.name}>"


class NoGradWrapped:
    """A callable wrapped by a grad-mode decorator (``torch.no_grad()`` and its kin)."""

    __slots__ = ("func", "mode")

    def __init__(self, func: Value, mode: str) -> None:
        self.func = func
        self.mode = mode


class BoundMethod:
    __slots__ = ("func", "self")

    def __init__(self, func: Value, self_: Value) -> None:
        self.func = func
        self.self = self_

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoundMethod) and other.func is self.func and other.self is self.self

    def __hash__(self) -> int:
        return hash((id(self.func), id(self.self)))


class StaticMethod:
    __slots__ = ("func",)

    def __init__(self, func: Value) -> None:
        self.func = func


class ClassMethod(StaticMethod):
    __slots__ = ()


class Property:
    __slots__ = ("getter", "setter")

    def __init__(self, getter: Value, setter: Value = None) -> None:
        self.getter = getter
        self.setter = setter


class Partial:
    __slots__ = ("args", "func", "kwargs")

    def __init__(self, func: Value, args: list[Value], kwargs: dict[str, Value]) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs


class LibFunction:
    """A library function with a model. ``model(m, call) -> Value``."""

    __slots__ = ("model", "name", "source")

    def __init__(self, name: str, model: Callable[..., Value], source: Any = None) -> None:
        self.name = name
        self.model = model
        self.source = source  # the method's model that ``model`` wraps

    def __repr__(self) -> str:
        return f"<lib function {self.name}>"


class LibValue:
    """A dotted name in a library for which there is no model: a module, or something unknown."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LibValue) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<lib {self.name}>"


class LibClass:
    """A class of a library with a model: methods are models ``(m, self, call) -> Value``.

    ``exact`` says that the model knows every attribute: one that is not found does not exist.
    """

    __slots__ = (
        "attrs",
        "bases",
        "exact",
        "functions",
        "methods",
        "mro_",
        "name",
        "parts",
        "props",
        "qualname",
        "state",
    )

    def __init__(self, qualname: str, bases: tuple[LibClass, ...] = ()) -> None:
        self.qualname = qualname
        self.name = qualname.rpartition(".")[2]
        self.bases = bases
        self.methods: dict[str, Callable[..., Value]] = {}
        self.props: dict[str, Callable[..., Value]] = {}
        self.functions: dict[str, LibFunction] = {}  # methods as attribute access gives them
        self.attrs: dict[str, Value] = {}
        self.mro_: list[Any] | None = None
        self.exact = False
        self.state: type | None = None  # what the constructor leaves in ``data``, if methods rely on it
        self.parts: tuple[str, ...] = ()  # attributes that the constructor sets and methods rely on

    def mro(self) -> list[Any]:
        if self.mro_ is None:
            self.mro_ = linearise(self)
        return self.mro_

    def is_a(self, qualname: str) -> bool:
        return any(isinstance(c, LibClass) and c.qualname == qualname for c in self.mro())

    def is_ready(self, instance: Instance) -> bool:
        """Whether the constructor has run on ``instance``: a subclass's own may have left it out."""
        return (self.state is None or isinstance(instance.data, self.state)) and all(
            p in instance.attrs for p in self.parts
        )

    def __repr__(self) -> str:
        return f"<lib class {self.qualname}>"


class UserClass:
    """A class of the user's source. ``open`` says that a base is unknown, so any attribute may exist."""

    __slots__ = ("attrs", "bases", "fields", "module", "mro_", "name", "node", "open")

    def __init__(self, name: str, node: ast.ClassDef | None, module: ModuleValue | None, bases: list[Value]) -> None:
        self.name = name
        self.node = node
        self.module = module
        self.bases = [b for b in bases if isinstance(b, UserClass | LibClass)]
        self.open: bool = any(not isinstance(b, UserClass | LibClass) for b in bases) or any(
            isinstance(b, UserClass) and b.open for b in bases
        )
        self.attrs: dict[str, Value] = {}
        self.fields: list[tuple[str, Value]] | None = None  # of a dataclass or NamedTuple: (name, default)
        self.mro_: list[Any] | None = None

    def mro(self) -> list[Any]:
        if self.mro_ is None:
            self.mro_ = linearise(self)
        return self.mro_

    def is_a(self, qualname: str) -> bool:
        return any(isinstance(c, LibClass) and c.qualname == qualname for c in self.mro())

    def __repr__(self) -> str:
        return f"<class {self.name}>"


class Instance:
    """An object of a user's or a library's class."""

    __slots__ = ("attrs", "cls", "data", "site")

    def __init__(self, cls: UserClass | LibClass, site: Any = None) -> None:
        self.cls = cls
        self.attrs: dict[str, Value] = {}
        self.data: Any = None  # what a library model keeps
        self.site = site

    def is_a(self, qualname: str) -> bool:
        return self.cls.is_a(qualname)

    def __repr__(self) -> str:
        return f"<{self.cls.name} object>"


class ModuleValue:
    """A module of the project, executed once per run."""

    __slots__ = ("attrs", "name", "path", "source", "star_unknown")

    def __init__(self, name: str, path: str, source: Any) -> None:
        self.name = name
        self.path = path
        self.source = source
        self.attrs: dict[str, Value] = {}
        self.star_unknown: list[str] = []  # libraries star-imported: names not found may live there

    def __repr__(self) -> str:
        return f"<module {self.name}>"


class Super:
    __slots__ = ("cls", "self")

    def __init__(self, cls: Value, self_: Value) -> None:
        self.cls = cls
        self.self = self_


class Generator:
    """A running generator: a native iterator over abstract values, with the value sent last.

    ``made`` is where it is made, ``finished`` where it came to its end, ``gave`` whether it has given parameters,
    ``walked`` the walk that was given one last, ``source`` the module whose parameters it walks, and ``copies`` says that
    what it gives is made of parameters.
    """

    __slots__ = ("busy", "copies", "finished", "gave", "iterator", "made", "result", "sent", "source", "walked")

    def __init__(self, iterator: Iterator[Value] | None, made: Any = None, source: Any = None) -> None:
        self.iterator = iterator
        self.made = made
        self.source = source
        self.gave = False
        self.finished: Any = None
        self.walked: Any = None
        self.copies = False
        self.busy = False
        self.sent: Value = None
        self.result: Value = None

    def few(self, m: Any, limit: int) -> Iterator[Value] | None:
        """For an iterator known to give more than ``limit`` values: a few that stand for all. None: run it."""
        return None


def linearise(cls: Any) -> list[Any]:
    """C3 linearisation; falls back to depth first when the hierarchy is inconsistent."""
    if not cls.bases:
        return [cls]
    if len(cls.bases) == 1:
        return [cls, *cls.bases[0].mro()]
    sequences = [list(linearise(b) if not isinstance(b, UserClass | LibClass) else b.mro()) for b in cls.bases]
    sequences.append(list(cls.bases))
    result = [cls]
    while any(sequences):
        for seq in sequences:
            if not seq:
                continue
            head = seq[0]
            if not any(head in other[1:] for other in sequences):
                break
        else:
            head = next(seq[0] for seq in sequences if seq)
        result.append(head)
        for seq in sequences:
            if head in seq:
                seq.remove(head)
    return result
