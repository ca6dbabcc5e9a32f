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
