from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
import copy
@dataclass
class Cfg:
    lr: float = 0.1
    layers: list = field(default_factory=lambda: [1, 2])
    name: str = "n"
    def scaled(self, k): return Cfg(self.lr * k, **{"name": self.name})
a = Cfg() == Cfg(); b = Cfg(lr=1.0) == Cfg(); c = Cfg().scaled(2).lr; d = Cfg().layers is Cfg().layers; e = Cfg(0.5).lr; f = Cfg(name="q").name
g = sum([[1], [2, 3]], []); h = list(zip([1, 2, 3], [4, 5])); i = dict(sorted({"b": 2, "a": 1}.items())); j = sorted([("b", 1), ("a", 1), ("a", 0)])
l = [3, 1, 2]; l.sort(key=lambda v: -v); k = l; m = {1: "a"}; m[2] = "b"; m |= {3: "c"}; n = list(m.items())[-1]; o = [*{1: 2}, *(3,)]
p = {"x": {"y": 1}}; p["x"]["y"] += 1; q = p["x"]["y"]; r = copy.deepcopy(p); r["x"]["y"] = 9; s = p; t = {k_: v_ for d_ in ({"a": 1}, {"b": 2}) for k_, v_ in d_.items()}
u = list(map(list, zip(*[[1, 2], [3, 4]]))); v = [x_ for pair in [(1, 2), (3, 4)] for x_ in pair]; w = set("hello") & set("world") == {"l", "o"}
x = deque([1, 2, 3]); x.extendleft([0]); y = list(x)[0]; groups = defaultdict(list)
for key, val in [("a", 1), ("b", 2), ("a", 3)]: groups[key].append(val)
z = dict(groups); aa = groups.get("zz"); bb = len(groups); cc = {**z, "n": None}; dd = [i_ for i_, v_ in enumerate([5, 0, 7]) if v_]; ee = max(z, key=lambda k_: len(z[k_]))
ff = "a" in z and z["a"][-1]; gg = z.setdefault("q", []) is z["q"]; hh = list(range(10, 0, -3)); ii = (1, 2) + (3,); jj = (1, 2) < (1, 3); kk = [1, 2] * 2; ll = min(z.items()); mm = tuple(sorted(z))
nn = [x_.copy() for x_ in [[1]]]; oo = list({"a": 1}.keys()) == ["a"]; pp = {"a": 1}.items() == {"a": 1}.items(); qq = {"a": 1} == {"a": 1}; rr = [1, [2]] == [1, [2]]; ss = str({}) + str([]); tt = not {}
class AttrDict(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        for key, v in self.items():
            if isinstance(v, dict): self[key] = AttrDict(v)
    def __getattr__(self, k):
        try:
            return self[k]
        except KeyError:
            raise AttributeError(k)
    def __setattr__(self, k, v): self[k] = v
uu = AttrDict({"m": {"n": 3}}); vv = uu.m.n; ww = getattr(uu, "zz", 4); uu.p = 5; xx = uu["p"]; yy = hasattr(uu, "nope"); zz = sorted(uu)
