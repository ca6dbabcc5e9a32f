import operator, math, copy
from operator import itemgetter, attrgetter
a = operator.add(1, 2); b = itemgetter(1)([5, 6]); c = itemgetter("a", "b")({"a": 1, "b": 2}); d = sorted([(2, "x"), (1, "y")], key=itemgetter(0))
class P:
    def __init__(self): self.x = 3; self.l = [1, [2]]
e = attrgetter("x")(P()); f = operator.methodcaller("upper")("a"); g = math.sqrt(16); h = math.floor(2.7); i = math.pi; j = math.log(math.e); k = math.inf
l = math.ceil(2.1); p = P(); q = copy.deepcopy(p); q.l[1].append(9); m = p.l; n = copy.copy(p); n.l.append(4); o = len(p.l); r = copy.deepcopy({"a": [1]})
s = math.isnan(math.nan); t = math.exp(0); u = math.pow(2, 3); v = operator.mul(3, 4); x = [1, 2]; x2 = copy.copy(x); x2.append(3); w = len(x)
y = copy.deepcopy([x, x]); y[0].append(7); z = y[1]
