import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
rate = torch.tensor(0.1, requires_grad=True)
weights = torch.zeros(5, requires_grad=True)
x, y = torch.randn(5, 3), torch.randn(5)
train = ((x @ w - y).pow(2) * weights.sigmoid()).sum()
(g,) = torch.autograd.grad(train, w)
fast = (w - rate * g).detach().clone().requires_grad_()
valid = (x @ fast - y).pow(2).mean()
slope = torch.autograd.grad(valid, weights)[0]
valid.backward()

residual = x @ (w - rate * g) - y
per_weight = 2 * x * (x @ w - y)[:, None] * 0.25
outer = 2 * x.t() @ residual / 5
assert torch.allclose(slope, -rate * per_weight @ outer, atol=1e-6)
assert torch.allclose(rate.grad, -g @ outer, atol=1e-6)
print("OK")
