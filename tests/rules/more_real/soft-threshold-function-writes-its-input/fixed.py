import torch
from torch.autograd import Function


class SoftThreshold(Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        ctx.save_for_backward(x)
        return (x - lam).clamp(min=0)

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * (x > ctx.lam).to(grad.dtype), None


class Lista(torch.nn.Module):
    def __init__(self, n, m, steps=2):
        super().__init__()
        self.w = torch.nn.Linear(n, m, bias=False)
        self.s = torch.nn.Linear(m, m, bias=False)
        self.steps = steps

    def forward(self, y):
        b = self.w(y)
        z = SoftThreshold.apply(b * 1.0, 0.1)
        for _ in range(self.steps):
            z = SoftThreshold.apply(b + self.s(z), 0.1)
        return z


torch.manual_seed(0)
x = torch.tensor([0.15, 0.05, 0.5], dtype=torch.double, requires_grad=True)
SoftThreshold.apply(x * 1.0, 0.1).sum().backward()
print('OK' if torch.equal(x.grad, torch.tensor([1., 0., 1.], dtype=torch.double)) else 'HAZARD-OBSERVED')
net = Lista(3, 4)
net(torch.randn(2, 3)).sum()
