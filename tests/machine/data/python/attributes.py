class A:
    kind = "a"
    def __init__(self): self.x = 1
    @property
    def double(self): return self.x * 2
    @double.setter
    def double(self, v): self.x = v / 2
    @staticmethod
    def s(v): return v + 1
    @classmethod
    def make(cls): return cls()
    def __len__(self): return 3
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i * 10
    def __call__(self, v): return v + self.x
    def __eq__(self, other): return isinstance(other, A)
    def __contains__(self, v): return v == 7
    def __iter__(self): return iter([1, 2])
    def __repr__(self): return "A!"
    def __abs__(self): return 5
    def __float__(self): return 2.5
    def __bool__(self): return False
    def __add__(self, o): return "added"
    def __radd__(self, o): return "radded"
class B(A):
    def __init__(self):
        super().__init__(); self.y = 2
    @property
    def double(self): return super().double + 1
    def __getattr__(self, name): return name.upper()
a = A(); b = hasattr(a, "x"); c = hasattr(a, "nope"); d = getattr(a, "nope", 3); setattr(a, "z", 4); e = a.z; f = a.double; a.double = 10; g = a.x
h = A.s(1); i = isinstance(B(), A); j = issubclass(B, A); k = len(a); l = a[1]; m = a(5.0); n = a == A(); o = 7 in a; p = list(a)
q = repr(a); r = abs(a); s = float(a); t = bool(a); u = a + 1; v = 1 + a; w = B().double; x = B().missing; y = callable(a); z = vars(a)
aa = A.make().kind; delattr(a, "z"); bb = hasattr(a, "z"); cc = type(a) is A; dd = type(a).__name__; ee = isinstance(3, (int, str)); ff = isinstance(True, int)
gg = [t_.__name__ for t_ in B.__mro__][:2]; hh = isinstance("s", int | str); ii = str(a)
