import torch

torch.manual_seed(0)
w = torch.randn(6, 4, requires_grad=True)
h = w * 2
first, second = h.chunk(2)
second.mul_(3.0)  # meant for the rows of h
h.split(4)[1].add_(1.0)
low, high, *rest = torch.split(h, [1, 2, 3])
high.neg_()
a, b = h[:2].unbind(0)
b.mul_(0.5)
w.chunk(2)[0].zero_()
h.pow(2).sum().backward()

factor = torch.full((6, 1), 2.0)
factor[3:] *= 3.0
before = torch.zeros(6, 4)
before[4:] += 1.0
sign = torch.ones(6, 1)
sign[1:3] = -1.0
sign[1] *= 0.5
start = torch.manual_seed(0) and torch.randn(6, 4)
value = (start * factor + before) * sign
assert torch.allclose(h, value)
assert torch.allclose(w.grad, 2 * value * sign * factor)
assert not w[:3].any()
print("OK")
