from dataclasses import dataclass, field, asdict, replace, fields, is_dataclass, astuple
from enum import Enum, IntEnum, auto
from typing import NamedTuple, List, Optional, TYPE_CHECKING, cast
from types import SimpleNamespace
@dataclass
class Base:
    a: int
    b: int = 2
@dataclass(order=True)
class C(Base):
    c: list = field(default_factory=list)
    def __post_init__(self): self.c.append("post")
o = C(1); p = C(1, b=5, c=["x"]); a = (o.a, o.b, o.c); b = p.c; c = asdict(p); d = replace(o, a=9).a; e = [f.name for f in fields(C)]; f = is_dataclass(o); g = astuple(Base(1))
class Color(Enum):
    RED = 1
    BLUE = "b"
class Level(IntEnum):
    LOW = 1
    HIGH = 2
h = Color.RED.name; i = Color.BLUE.value; j = Color(1).name; k = Level.HIGH > Level.LOW; l = Level.HIGH + 1; m = [x.name for x in Color]; n = Color["RED"].value
q = Color.RED == Color.RED; r = Color.RED is Color.BLUE; s = Level.LOW == 1
class T(NamedTuple):
    x: int
    y: int = 5
    def total(self): return self.x + self.y
t = T(1); u = t.total(); v, w = t; x = cast(int, 3); y = TYPE_CHECKING; z = SimpleNamespace(q=4).q
class Mode(str, Enum):
    A = "a"
aa = Mode.A == "a"; bb = {Color.RED: 1}[Color.RED]
