a = abs(-3); b = round(2.567, 2); c = divmod(17, 5); d = pow(2, 10); e = pow(2, 10, 7); f = min(3, 1, 2); g = max([4, 9, 2])
h = sum([1, 2, 3], 10); i = int("42"); j = float("1.5"); k = int(3.9); l = bool([]); m = bool("x"); n = hex(255); o = ord("a"); p = chr(98)
q = (5).bit_length(); r = (2.0).is_integer(); s = sum(range(101)); t = min([], default=7); u = max("abc", "abd", key=lambda x: x[2])
v = int("ff", 16); w = complex(1, 2); x = round(7.5); y = bin(5); z = min({"b": 1, "a": 2})
