import torch
from torch import nn


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        grad[x.abs() > 1] = 0
        return grad


torch.manual_seed(0)
weight = nn.Parameter(torch.tensor([0.5, 2.0, -0.1, -3.0]))
optimizer = torch.optim.SGD([weight], lr=0.01)
optimizer.zero_grad()
loss = Sign.apply(weight).sum()
loss.backward()
dead = weight.grad[0].item() == 0
optimizer.step()
print("HAZARD-OBSERVED" if dead else "OK")
