a = {1, 2, 3}; a.add(4); a.discard(1); b = a | {9}; c = a & {2}; d = a - {2}; e = a ^ {2, 7}; f = a.union([5]); g = a.issubset({2, 3, 4})
h = frozenset([1, 1]); i = len(a); j = 2 in a; k = set("aab"); l = a.intersection([3]); a.update([8]); m = sorted(a); n = a.isdisjoint({100})
