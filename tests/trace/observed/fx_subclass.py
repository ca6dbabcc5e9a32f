import torch
from torch import fx, nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
g = fx.symbolic_trace(m)
print(g.code)


class T(torch.Tensor):
    @classmethod
    def __torch_function__(cls, f, types, args=(), kwargs=None):
        r = super().__torch_function__(f, types, args, kwargs or {})
        return r


x = torch.randn(2, 3).as_subclass(T)
x.requires_grad_()
l = g(x).sum()
l.backward()
print(type(l).__name__, x.grad.sum().item().hex())
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode


class C(TorchFunctionMode):
    n = 0

    def __torch_function__(self, f, t, a=(), k=None):
        C.n += 1
        return f(*a, **(k or {}))


class D(TorchDispatchMode):
    n = 0

    def __torch_dispatch__(self, f, t, a=(), k=None):
        D.n += 1
        return f(*a, **(k or {}))


with C(), D():
    m(torch.ones(1, 3)).sum().backward()
print(C.n, D.n)
