a = [3, 1, 2]; a.append(5); a.extend([7, 8]); a.insert(0, 9); b = a.pop(); c = a.pop(0); a.remove(1); d = a.index(2); e = a.count(3)
f = a.copy(); f.reverse(); a.sort(); g = sorted(a, reverse=True); h = sorted(["bb", "a", "ccc"], key=len); i = list(reversed(a))
j = a[1:]; k = (1, 2, 3).index(2); l = [1] * 3; m = [1, 2] + [3]; n = 2 in a; o = tuple(a); p = list("abc"); q = list(range(5))[::2]
r = len(a); s = [x for x in a if x > 2]; f.clear(); t = [*a, 1]; u, *v = [1, 2, 3]; w = [[0] * 2 for _ in range(2)]; w[0][1] = 5
x = list(range(3, 9, 2)); y = range(10)[3]; z = a == sorted(a)
