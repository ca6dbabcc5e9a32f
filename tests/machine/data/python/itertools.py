import itertools as it
from itertools import chain, islice, product
a = list(chain([1], (2, 3))); b = list(chain.from_iterable([[1], [2]])); c = list(islice(it.count(5), 3)); d = list(islice(it.cycle("ab"), 5))
e = list(product([1, 2], "ab")); f = list(it.zip_longest([1], [2, 3], fillvalue=0)); g = list(it.repeat(7, 2)); h = list(it.accumulate([1, 2, 3]))
i = list(it.starmap(pow, [(2, 3), (3, 2)])); j = list(it.combinations([1, 2, 3], 2)); k = list(it.permutations([1, 2, 3], 2)); l = [list(x) for x in it.tee([1, 2])]
m = list(it.takewhile(lambda x: x < 3, [1, 2, 3, 1])); n = list(it.dropwhile(lambda x: x < 3, [1, 2, 3, 1])); o = [(k_, list(v)) for k_, v in it.groupby("aab")]
p = list(it.compress("abc", [1, 0, 1])); q = list(it.filterfalse(None, [0, 1])); r = list(it.pairwise([1, 2, 3])); s = list(islice([1, 2, 3, 4], 1, None, 2))
t = list(it.accumulate([1, 2, 3], lambda x, y: x * y)); u = list(it.combinations_with_replacement([1, 2], 2)); v = list(product([0, 1], repeat=2))
w = sum(islice(it.count(1), 4))
