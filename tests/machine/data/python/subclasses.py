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
