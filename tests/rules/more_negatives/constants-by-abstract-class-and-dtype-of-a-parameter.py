"""Constants made for numbers of any kind, and tensors whose dtype only the caller knows: all of it has its graph."""

from functools import lru_cache
from numbers import Number

import torch


@lru_cache(maxsize=None)
def constants(values, dtype):
    if isinstance(values, Number):
        return torch.full((), values, dtype=dtype)
    return tuple(torch.full((), value, dtype=dtype) for value in values)


def guarded_sum(a, b):
    zero = constants(0, a.dtype)
    opposite = a.isinf() & b.isinf() & (a != b)
    return torch.where(opposite, zero, a + b)


class Check:
    def __init_subclass__(cls, op):
        cls.op = staticmethod(op)

    def gradients(self, dtype):
        steps = torch.arange(6, dtype=dtype).reshape(3, 2).requires_grad_()
        self.op(steps, torch.ones(3, 2, dtype=dtype)).sum().backward()
        return steps.grad


class Sum(Check, op=guarded_sum):
    def extremes(self):
        for dtype in (torch.float32, torch.float64):
            for value in (float("inf"), 1.0):
                a = torch.tensor(value, dtype=dtype, requires_grad=True)
                b = torch.tensor(2.0, dtype=dtype, requires_grad=True)
                out = self.op(a, b)
                out.backward()
                assert a.grad == 1


if __name__ == "__main__":
    Sum().extremes()
    assert Sum().gradients(torch.float64).sum() == 6
print("OK")
