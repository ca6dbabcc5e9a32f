d = {"a": 1, "b": 2}; a = d.get("a"); b = d.get("z", 5); c = d.setdefault("c", []); c.append(1); e = d.pop("a"); f = d.pop("q", None)
d.update({"x": 1}, y=2); g = list(d.items()); h = list(d.keys()); i = list(d.values()); j = "x" in d; k = len(d); l = dict(a=1, b=2)
m = dict([("p", 1), ("q", 2)]); n = dict.fromkeys(["u", "v"], 0); o = {**l, "c": 3}; p = {k: v * 2 for k, v in l.items()}
q = dict(zip("ab", [1, 2])); r = l.keys() & {"a"}; s = sorted(l, key=l.get, reverse=True); t = d.popitem(); u = l.copy(); u["z"] = 9
for key in list(u):
    if key == "a":
        del u[key]
v = max(l, key=l.get); w = l | {"b": 7}; x = sum(l.values()); y = list(enumerate(l)); z = {v: k for k, v in l.items()}
