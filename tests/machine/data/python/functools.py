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
