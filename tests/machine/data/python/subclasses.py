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
class Dots(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
class Old(dict):
    def __init__(self, *args, **kw):
        dict.__init__(self, *args, **kw)
        self["extra"] = 1
    def get(self, key, default=None):
        return dict.get(self, key, "absent")
class Stack(list):
    def push(self, v):
        list.append(self, v)
        return self
dots = Dots(x=1); x1 = dots.x; dots.y = 2; y1 = dots["y"]; old = Old({"k": 5}); k1 = old["k"]; k2 = old.get("nope"); k3 = sorted(old); st = list(Stack().push(1).push(2))
