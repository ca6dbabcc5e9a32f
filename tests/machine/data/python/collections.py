from collections import defaultdict, OrderedDict, deque, Counter, namedtuple, ChainMap
d = defaultdict(list); d["a"].append(1); d["a"].append(2); a = dict(d); c = Counter("abca"); b = c["a"]; e = c["zz"]; f = c.most_common(1)
c.update("bb"); g = c["b"]; h = sum(c.values()); q = deque([1, 2, 3], maxlen=3); q.append(4); i = list(q); q.appendleft(0); j = list(q)
k = q.popleft(); l = q.pop(); m = len(q); q.rotate(1); n = list(q); o = OrderedDict([("x", 1), ("y", 2)]); o.move_to_end("x"); p = list(o)
P = namedtuple("P", "x y", defaults=[5]); pt = P(1); r = pt.x; s = pt.y; t, u = pt; v = pt[1]; w = pt._replace(x=9).x; x = pt._asdict()
y = ChainMap({"a": 1}, {"a": 2, "b": 3})["b"]; z = len(P(1, 2)); dd = defaultdict(int); dd["k"] += 1; aa = dd["k"]; bb = "q" in dd; cc = q.maxlen
nested = defaultdict(lambda: defaultdict(float)); nested["a"]["b"] += 1.5; ee = nested["a"]["b"]; ff = o.popitem(last=False); gg = P._fields
