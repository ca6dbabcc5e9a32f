log = []
def f(n):
    for i in range(n):
        try:
            if i == 1: continue
            if i == 3: break
            log.append(i)
        finally:
            log.append("f%d" % i)
    else:
        log.append("else")
    return len(log)
a = f(2); b = f(5)
def g():
    try:
        raise ValueError("v")
    except ValueError as e:
        try:
            raise KeyError("k") from e
        except KeyError:
            return "key"
    finally:
        log.append("g")
c = g()
n = 0
while n < 5:
    n += 1
    if n == 2: continue
    if n == 4: break
else:
    n = 100
d = n
def fact(k): return 1 if k <= 1 else k * fact(k - 1)
e = fact(5); h = [[i * j for j in range(3) if j != i] for i in range(3)]; i = {(a_, b_) for a_ in range(2) for b_ in range(2)}
j = [k if k % 2 else -k for k in range(4)]; x = 5; x += 1; x -= 2; x *= 3; x //= 2; x **= 2; x %= 7; k = x; l = 7 & 3 | 8 ^ 1; m = ~5 << 1
def h2(*args, sep="-", **kw): return sep.join(str(v) for v in args) + str(sorted(kw))
o = h2(1, 2, sep="+", z=1); p = (lambda *, k=3: k)(); first, *rest, last = range(5); q = rest; (r, s), t = (1, 2), 3
u = [1, 2, 3, 4, 5][::-2]; v = "abc"[::-1]; w = [0] * 3; w[1:1] = [7, 7]; y = 1 if not w else 2; del w[-1]; z = w
match {"op": "step", "n": 3}:
    case {"op": "zero"}: aa = 0
    case {"op": "step", "n": cnt} if cnt > 2: aa = cnt
    case _: aa = -1
match (1, [2, 3]):
    case (1, [bb, *_]): pass
match 5:
    case 1 | 2: cc = "small"
    case int(): cc = "int"
dd = [y_ := 3, y_ * 2]; ee = any((hit := q_) > 2 for q_ in [1, 3, 5]); ff = hit; gg = f"{3:>4}|{2.5!r}|{'a':^3}|{10:,}|{0.5:.0%}"; hh = None or "default"; ii = 0 and 1; jj = [] == []; kk = 1 == 1.0
def early(v):
    if v is None: return "none"
    for z_ in v:
        if z_: return z_
ll = [early(None), early([0, 4]), early([0])]
def gen():
    try:
        got = yield 1
        log.append(got)
        yield 2
    finally:
        log.append("closed")
gg2 = gen(); next(gg2); mm = gg2.send("hi"); gg2.close(); nn = log[-2:]
