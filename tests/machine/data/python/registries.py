REGISTRY = {}
def register(name=None, **options):
    def wrap(cls):
        REGISTRY[name or cls.__name__] = (cls, options)
        return cls
    return wrap
@register()
class A:
    def __init__(self, n=1): self.n = n
@register("bee", fast=True)
class B(A):
    pass
def build(cfg):
    cfg = dict(cfg)
    cls, options = REGISTRY[cfg.pop("type")]
    return cls(**cfg), options
a, b = build({"type": "bee", "n": 4}); c = a.n; d = sorted(REGISTRY); e = REGISTRY["A"][0] is A; f = globals()["A"](7).n; g = B.__name__
class Meta(type):
    pass
class Auto:
    seen = []
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Auto.seen.append(cls.__name__)
class Sub1(Auto): pass
class Sub2(Auto): pass
h = Auto.seen; i = {k: v[0].__name__ for k, v in REGISTRY.items()}; j = getattr(A(), "n"); k = [c.__name__ for c in (A, B)]
l = isinstance(B(), REGISTRY["A"][0]); m = type(B()).__mro__[1].__name__; n = hasattr(A, "n"); o = A.__init__ is B.__init__
