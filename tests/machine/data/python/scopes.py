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
