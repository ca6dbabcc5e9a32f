import torch
from torch import nn


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        grad.mul_(-ctx.strength)
        return grad, None


torch.manual_seed(0)
label, domain = nn.Linear(4, 4), nn.Linear(4, 4)
x = torch.randn(5, 4)
gradient = 2 * (label(x) + domain(x)).detach().sum(0)
left, right = label(x), domain(x)
(left + Reverse.apply(right, 0.5)).pow(2).sum().backward()
right_label = torch.allclose(label.bias.grad, gradient, atol=1e-5)
right_domain = torch.allclose(domain.bias.grad, -0.5 * gradient, atol=1e-5)
print("OK" if right_label and right_domain else "HAZARD-OBSERVED")
