"""Programs of plain Python, by what they are about. No randomness, no files, loops of few iterations."""

PROGRAMS: dict[str, str] = {}


def program(name: str, text: str) -> None:
    PROGRAMS[name] = text


program(
    "numbers",
    """
a = abs(-3); b = round(2.567, 2); c = divmod(17, 5); d = pow(2, 10); e = pow(2, 10, 7); f = min(3, 1, 2); g = max([4, 9, 2])
h = sum([1, 2, 3], 10); i = int("42"); j = float("1.5"); k = int(3.9); l = bool([]); m = bool("x"); n = hex(255); o = ord("a"); p = chr(98)
q = (5).bit_length(); r = (2.0).is_integer(); s = sum(range(101)); t = min([], default=7); u = max("abc", "abd", key=lambda x: x[2])
v = int("ff", 16); w = complex(1, 2); x = round(7.5); y = bin(5); z = min({"b": 1, "a": 2})
""",
)
program(
    "sequences",
    """
a = [3, 1, 2]; a.append(5); a.extend([7, 8]); a.insert(0, 9); b = a.pop(); c = a.pop(0); a.remove(1); d = a.index(2); e = a.count(3)
f = a.copy(); f.reverse(); a.sort(); g = sorted(a, reverse=True); h = sorted(["bb", "a", "ccc"], key=len); i = list(reversed(a))
j = a[1:]; k = (1, 2, 3).index(2); l = [1] * 3; m = [1, 2] + [3]; n = 2 in a; o = tuple(a); p = list("abc"); q = list(range(5))[::2]
r = len(a); s = [x for x in a if x > 2]; f.clear(); t = [*a, 1]; u, *v = [1, 2, 3]; w = [[0] * 2 for _ in range(2)]; w[0][1] = 5
x = list(range(3, 9, 2)); y = range(10)[3]; z = a == sorted(a)
""",
)
program(
    "dictionaries",
    """
d = {"a": 1, "b": 2}; a = d.get("a"); b = d.get("z", 5); c = d.setdefault("c", []); c.append(1); e = d.pop("a"); f = d.pop("q", None)
d.update({"x": 1}, y=2); g = list(d.items()); h = list(d.keys()); i = list(d.values()); j = "x" in d; k = len(d); l = dict(a=1, b=2)
m = dict([("p", 1), ("q", 2)]); n = dict.fromkeys(["u", "v"], 0); o = {**l, "c": 3}; p = {k: v * 2 for k, v in l.items()}
q = dict(zip("ab", [1, 2])); r = l.keys() & {"a"}; s = sorted(l, key=l.get, reverse=True); t = d.popitem(); u = l.copy(); u["z"] = 9
for key in list(u):
    if key == "a":
        del u[key]
v = max(l, key=l.get); w = l | {"b": 7}; x = sum(l.values()); y = list(enumerate(l)); z = {v: k for k, v in l.items()}
""",
)
program(
    "sets",
    """
a = {1, 2, 3}; a.add(4); a.discard(1); b = a | {9}; c = a & {2}; d = a - {2}; e = a ^ {2, 7}; f = a.union([5]); g = a.issubset({2, 3, 4})
h = frozenset([1, 1]); i = len(a); j = 2 in a; k = set("aab"); l = a.intersection([3]); a.update([8]); m = sorted(a); n = a.isdisjoint({100})
""",
)
program(
    "text",
    """
a = "a,b,c".split(","); b = "-".join(["x", "y"]); c = " hi ".strip(); d = "Hello".lower(); e = "hello".replace("l", "L"); f = "abc".find("c")
g = "x{}y{:>3}".format(1, 2); h = "%s=%d" % ("k", 3); i = f"{1.5:.2f}|{'s'}|{3}"; j = "abc"[1]; k = "a b".title(); l = "abc".startswith("ab")
m = "1".zfill(3); n = "a=b".partition("="); o = "abc".upper().endswith("C"); p = "ab" * 2; q = str(12) + repr("x"); r = format(3.14159, ".2f")
s = "line1\\nline2".splitlines(); t = "a".isalpha(); u = "{name}".format(name="n"); v = len("word"); w = "b" in "abc"; x = str([1, "a"])
y = "abcde"[-2:]; z = "x".encode().decode()
""",
)
program(
    "lazy",
    """
a = list(zip([1, 2, 3], "ab")); b = list(map(lambda x, y: x + y, [1, 2], [3, 4])); c = list(filter(None, [0, 1, 2])); d = list(enumerate("ab", 1))
e = any([0, 1]); f = all([]); it = iter([1, 2]); g = next(it); h = next(it); i = next(it, "end"); j = any(x > 2 for x in [1, 2, 3])
k = list(map(str, range(3))); l = dict(enumerate("xy")); m = [y for x in [[1], [2, 3]] for y in x]; n = tuple(x * x for x in range(4))
try:
    next(iter([]))
    o = "none"
except StopIteration:
    o = "stopped"
def gen(n):
    total = 0
    for i in range(n):
        got = yield i
        if got:
            total += got
    return total
p = list(gen(3)); q = sum(gen(4)); ge = gen(2); r = next(ge); s = next(ge)
def outer():
    yield 0
    yield from gen(2)
t = list(outer()); u = list(zip(*[(1, 2), (3, 4)])); v = list(iter(lambda c=[3]: c.append(0) or c.pop() , 0))
w = max(map(len, ["a", "bbb"])); x = sorted(zip([2, 1], "ab")); y = list(reversed(range(3)))
""",
)
program(
    "attributes",
    """
class A:
    kind = "a"
    def __init__(self): self.x = 1
    @property
    def double(self): return self.x * 2
    @double.setter
    def double(self, v): self.x = v / 2
    @staticmethod
    def s(v): return v + 1
    @classmethod
    def make(cls): return cls()
    def __len__(self): return 3
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i * 10
    def __call__(self, v): return v + self.x
    def __eq__(self, other): return isinstance(other, A)
    def __contains__(self, v): return v == 7
    def __iter__(self): return iter([1, 2])
    def __repr__(self): return "A!"
    def __abs__(self): return 5
    def __float__(self): return 2.5
    def __bool__(self): return False
    def __add__(self, o): return "added"
    def __radd__(self, o): return "radded"
class B(A):
    def __init__(self):
        super().__init__(); self.y = 2
    @property
    def double(self): return super().double + 1
    def __getattr__(self, name): return name.upper()
a = A(); b = hasattr(a, "x"); c = hasattr(a, "nope"); d = getattr(a, "nope", 3); setattr(a, "z", 4); e = a.z; f = a.double; a.double = 10; g = a.x
h = A.s(1); i = isinstance(B(), A); j = issubclass(B, A); k = len(a); l = a[1]; m = a(5.0); n = a == A(); o = 7 in a; p = list(a)
q = repr(a); r = abs(a); s = float(a); t = bool(a); u = a + 1; v = 1 + a; w = B().double; x = B().missing; y = callable(a); z = vars(a)
aa = A.make().kind; delattr(a, "z"); bb = hasattr(a, "z"); cc = type(a) is A; dd = type(a).__name__; ee = isinstance(3, (int, str)); ff = isinstance(True, int)
gg = [t_.__name__ for t_ in B.__mro__][:2]; hh = isinstance("s", int | str); ii = str(a)
""",
)
program(
    "exceptions",
    """
log = []
class Mine(ValueError):
    def __init__(self, code):
        super().__init__("mine", code)
        self.code = code
try:
    raise Mine(3)
except ValueError as error:
    log.append(error.code); log.append(error.args)
finally:
    log.append("finally")
try:
    {}["a"]
except KeyError:
    log.append("key")
try:
    [][0]
except IndexError:
    log.append("index")
try:
    1 / 0
except ZeroDivisionError:
    log.append("zero")
try:
    int("x")
except ValueError:
    log.append("value")
try:
    raise RuntimeError("text")
except (TypeError, RuntimeError) as e:
    log.append(str(e))
else:
    log.append("else")
def f():
    try:
        return 1
    finally:
        log.append("f")
a = f(); b = isinstance(Mine(1), Exception); c = issubclass(KeyError, LookupError)
try:
    try:
        raise KeyError("inner")
    except KeyError:
        raise
except LookupError:
    log.append("outer")
""",
)
program(
    "subclasses",
    """
class D(dict):
    def __getattr__(self, k): return self[k]
    def __setattr__(self, k, v): self[k] = v
    def __missing__(self, k): return "missing"
class L(list):
    def total(self): return sum(self)
class S(str):
    def shout(self): return self.upper() + "!"
class N(int):
    pass
class Bunch(dict):
    def __init__(self, **kw):
        super().__init__(kw)
        self.__dict__ = self
d = D(a=1); a = d.a; d.b = 2; b = d["b"]; c = d["zz"]; e = len(d); f = sorted(d); g = isinstance(d, dict); h = list(d.items()); i = "a" in d
l = L([1, 2]); l.append(3); j = l.total(); k = l[0]; m = len(l); n = [x for x in l]; o = S("hey").shout(); p = N(3) + 4; q = N(3) == 3
bu = Bunch(x=1); bu.y = 2; r = bu["y"]; s = bu.x; t = sorted(bu.keys()); u = dict(d); v = l + [9]; w = {**d}
""",
)
program(
    "collections",
    """
from collections import defaultdict, OrderedDict, deque, Counter, namedtuple, ChainMap
d = defaultdict(list); d["a"].append(1); d["a"].append(2); a = dict(d); c = Counter("abca"); b = c["a"]; e = c["zz"]; f = c.most_common(1)
c.update("bb"); g = c["b"]; h = sum(c.values()); q = deque([1, 2, 3], maxlen=3); q.append(4); i = list(q); q.appendleft(0); j = list(q)
k = q.popleft(); l = q.pop(); m = len(q); q.rotate(1); n = list(q); o = OrderedDict([("x", 1), ("y", 2)]); o.move_to_end("x"); p = list(o)
P = namedtuple("P", "x y", defaults=[5]); pt = P(1); r = pt.x; s = pt.y; t, u = pt; v = pt[1]; w = pt._replace(x=9).x; x = pt._asdict()
y = ChainMap({"a": 1}, {"a": 2, "b": 3})["b"]; z = len(P(1, 2)); dd = defaultdict(int); dd["k"] += 1; aa = dd["k"]; bb = "q" in dd; cc = q.maxlen
nested = defaultdict(lambda: defaultdict(float)); nested["a"]["b"] += 1.5; ee = nested["a"]["b"]; ff = o.popitem(last=False); gg = P._fields
""",
)
program(
    "functools",
    """
from functools import partial, reduce, wraps, lru_cache, cached_property, total_ordering, singledispatch, partialmethod, cache
calls = []
def f(a, b=2, *args, c=3, **kw): return (a, b, args, c, sorted(kw.items()))
a = partial(f, 1, c=9)(5, x=1); b = reduce(lambda x, y: x * y, [1, 2, 3, 4]); c = reduce(lambda x, y: x + y, [], 10)
def deco(fn):
    @wraps(fn)
    def inner(*args, **kw):
        calls.append("before")
        return fn(*args, **kw) * 2
    return inner
@deco
def g(x): return x + 1
d = g(3)
@lru_cache(maxsize=None)
def h(n):
    calls.append(n)
    return n * n
e = h(3) + h(3); f1 = len(calls)
@cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
i = fib(5)
class C:
    @cached_property
    def v(self):
        calls.append("v")
        return 7
    def act(self, a, b): return (a, b)
    act1 = partialmethod(act, 1)
    op = partial(max, 3)
o = C(); j = o.v + o.v; k = calls.count("v"); l = o.act1(2); m = o.op(5)
@singledispatch
def show(x): return "object"
@show.register(int)
def _(x): return "int"
@show.register
def _(x: str): return "str"
n = [show(1), show("a"), show(1.5)]
def repeat(times):
    def wrap(fn):
        return lambda *a: [fn(*a) for _ in range(times)]
    return wrap
@repeat(3)
def one(): return 1
p = one()
""",
)
program(
    "itertools",
    """
import itertools as it
from itertools import chain, islice, product
a = list(chain([1], (2, 3))); b = list(chain.from_iterable([[1], [2]])); c = list(islice(it.count(5), 3)); d = list(islice(it.cycle("ab"), 5))
e = list(product([1, 2], "ab")); f = list(it.zip_longest([1], [2, 3], fillvalue=0)); g = list(it.repeat(7, 2)); h = list(it.accumulate([1, 2, 3]))
i = list(it.starmap(pow, [(2, 3), (3, 2)])); j = list(it.combinations([1, 2, 3], 2)); k = list(it.permutations([1, 2, 3], 2)); l = [list(x) for x in it.tee([1, 2])]
m = list(it.takewhile(lambda x: x < 3, [1, 2, 3, 1])); n = list(it.dropwhile(lambda x: x < 3, [1, 2, 3, 1])); o = [(k_, list(v)) for k_, v in it.groupby("aab")]
p = list(it.compress("abc", [1, 0, 1])); q = list(it.filterfalse(None, [0, 1])); r = list(it.pairwise([1, 2, 3])); s = list(islice([1, 2, 3, 4], 1, None, 2))
t = list(it.accumulate([1, 2, 3], lambda x, y: x * y)); u = list(it.combinations_with_replacement([1, 2], 2)); v = list(product([0, 1], repeat=2))
w = sum(islice(it.count(1), 4))
""",
)
program(
    "contextlib",
    """
from contextlib import contextmanager, nullcontext, suppress, ExitStack, closing, ContextDecorator
log = []
@contextmanager
def cm(name):
    log.append("in " + name)
    try:
        yield name.upper()
    except ValueError:
        log.append("caught")
    finally:
        log.append("out " + name)
with cm("a") as a: log.append(a)
with cm("b"): raise ValueError
try:
    with cm("c"): raise KeyError
except KeyError:
    log.append("key")
with nullcontext(5) as b: pass
with suppress(KeyError, IndexError):
    log.append("s"); {}["x"]; log.append("never")
with ExitStack() as stack:
    c = [stack.enter_context(cm(n)) for n in "xy"]
    stack.callback(log.append, "callback")
class Res:
    def close(self): log.append("closed")
with closing(Res()) as r: log.append("using")
@cm("deco")
def f(): log.append("f"); return 3
d = f(); e = f()
class M(ContextDecorator):
    def __enter__(self): log.append("enter"); return self
    def __exit__(self, *args): log.append(args[0] is None); return True
with M(): pass
with M(): raise RuntimeError
with cm("p") as x, cm("q") as y: log.append(x + y)
""",
)
program(
    "dataclasses",
    """
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
""",
)
program(
    "operators",
    """
import operator, math, copy
from operator import itemgetter, attrgetter
a = operator.add(1, 2); b = itemgetter(1)([5, 6]); c = itemgetter("a", "b")({"a": 1, "b": 2}); d = sorted([(2, "x"), (1, "y")], key=itemgetter(0))
class P:
    def __init__(self): self.x = 3; self.l = [1, [2]]
e = attrgetter("x")(P()); f = operator.methodcaller("upper")("a"); g = math.sqrt(16); h = math.floor(2.7); i = math.pi; j = math.log(math.e); k = math.inf
l = math.ceil(2.1); p = P(); q = copy.deepcopy(p); q.l[1].append(9); m = p.l; n = copy.copy(p); n.l.append(4); o = len(p.l); r = copy.deepcopy({"a": [1]})
s = math.isnan(math.nan); t = math.exp(0); u = math.pow(2, 3); v = operator.mul(3, 4); x = [1, 2]; x2 = copy.copy(x); x2.append(3); w = len(x)
y = copy.deepcopy([x, x]); y[0].append(7); z = y[1]
""",
)
program(
    "scopes",
    """
total = 0
def add(n):
    global total
    total += n
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
add(3); c = counter(); a = [c(), c(), c()]; fs = [lambda x, i=i: x + i for i in range(3)]; b = [f(10) for f in fs]
late = [lambda: j for j in range(3)]; d = [f() for f in late]; e = (lambda *args, **kw: (args, kw))(1, 2, k=3)
def default(x, acc=[]):
    acc.append(x)
    return acc
default(1); f = default(2); g = [y := 5, y + 1]; h = globals()["total"]; i = "total" in globals()
if (n := 10) > 5: k = n
def kwonly(a, /, b, *, c=1): return a + b + c
l = kwonly(1, 2, c=3); m = {"a": 1}; o = (lambda a: a)(**m); p, (q, r) = 1, (2, 3); s = t = 4; s += 1
for u in range(3):
    if u == 1: break
else:
    u = 100
while True:
    u += 1
    if u > 4: break
x = [1, 2, 3]; x[1:2] = [8, 9]; del x[0]; w = "yes" if x else "no"; v = 1 < 2 < 3; z = not x
""",
)
