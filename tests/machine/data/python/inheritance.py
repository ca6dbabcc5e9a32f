from abc import ABC, abstractmethod
order = []
class Base(ABC):
    scale = 1
    def __init__(self, x, **kw):
        super().__init__(**kw)
        order.append("Base"); self.x = x
    @abstractmethod
    def run(self): ...
    @property
    def name(self): return type(self).__name__
    def template(self): return self.run() * self.scale
class Mixin:
    def __init__(self, y=0, **kw):
        super().__init__(**kw)
        order.append("Mixin"); self.y = y
    def run(self): return self.y
class C(Base, Mixin):
    scale = 3
    def __init__(self, x, y):
        super().__init__(x=x, y=y)
        order.append("C")
    def run(self): return super().run() + self.x if False else self.x + Mixin.run(self)
c = C(2, 5); a = c.template(); b = c.name; d = order; e = [k.__name__ for k in C.__mro__[:3]]; f = isinstance(c, Mixin); C.scale = 10; g = c.template()
c.scale = 1; h = c.template(); i = C.scale; j = c.__class__.__name__; k = c.__dict__["x"]
class Single:
    _it = None
    def __new__(cls, *args):
        if cls._it is None:
            cls._it = super().__new__(cls)
        return cls._it
    def __init__(self, v): self.v = v
s1 = Single(1); s2 = Single(2); l = s1 is s2; m = s1.v
class Slots:
    __slots__ = ("p", "q")
    def __init__(self): self.p = 1
n = Slots().p; o = hasattr(Slots(), "q")
class Lazy:
    def __getattr__(self, name):
        if name.startswith("_"): raise AttributeError(name)
        value = name * 2
        setattr(self, name, value)
        return value
z = Lazy(); p = z.ab; q = "ab" in z.__dict__; r = getattr(z, "_x", "none"); t = hasattr(z, "_y")
class Track:
    def __init__(self): object.__setattr__(self, "log", [])
    def __setattr__(self, name, value):
        self.log.append(name); super().__setattr__(name, value)
tr = Track(); tr.a = 1; tr.b = 2; u = tr.log; v = tr.a + tr.b
