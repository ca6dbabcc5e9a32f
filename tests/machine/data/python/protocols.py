class Vec:
    def __init__(self, *v): self.v = list(v)
    def __add__(self, o): return Vec(*(a + b for a, b in zip(self.v, o.v)))
    def __iadd__(self, o): self.v = [a + b for a, b in zip(self.v, o.v)]; return self
    def __mul__(self, k): return Vec(*[a * k for a in self.v])
    __rmul__ = __mul__
    def __neg__(self): return self * -1
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return sum(self.v) < sum(o.v)
    def __len__(self): return len(self.v)
    def __getitem__(self, i): return Vec(*self.v[i]) if isinstance(i, slice) else self.v[i]
    def __setitem__(self, i, x): self.v[i] = x
    def __delitem__(self, i): del self.v[i]
    def __iter__(self):
        for x in self.v: yield x
    def __reversed__(self): return iter(self.v[::-1])
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.v, o.v))
    def __hash__(self): return 1
a = (Vec(1, 2) + Vec(3, 4)).v; b = Vec(1, 2); alias = b; b += Vec(1, 1); c = alias.v; d = (2 * Vec(1, 2)).v; e = (-Vec(1)).v; f = Vec(1) == Vec(1)
g = Vec(1) < Vec(2); h = len(Vec(1, 2)); i = Vec(1, 2, 3)[1:].v; b[0] = 9; j = b.v; del b[0]; k = b.v; l = list(Vec(4, 5)); m = list(reversed(Vec(1, 2)))
n = Vec(1, 2) @ Vec(3, 4); x, y = Vec(7, 8); o = sorted([Vec(3), Vec(1)])[0].v; p = Vec(1) != Vec(2); q = bool(Vec()); r = max([Vec(3), Vec(9)]).v; s = sum(Vec(1, 2))
class It:
    def __init__(self, n): self.n = n
    def __iter__(self): self.i = 0; return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1
        return self.i
t = list(It(3)); u = [z for z in It(2)]; v = 2 in It(3); w = dict(zip(It(2), "ab"))
class Res:
    log = []
    def __enter__(self): self.log.append("in"); return self
    def __exit__(self, kind, value, tb):
        self.log.append(kind.__name__ if kind else None)
        return kind is KeyError
with Res() as res: pass
with Res(): raise KeyError("x")
aa = Res.log
class Temp:
    def __init__(self, f): self.f = f
    def __call__(self, *args, **kw): return self.f(*args, **kw) + 100
@Temp
def func(x, y=1): return x + y
bb = func(1, y=2); cc = list(map(Temp(abs), [-1]))
