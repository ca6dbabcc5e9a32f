import torch


class Sq(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x


torch.manual_seed(0)
w = torch.randn(4, requires_grad=True)
h = w * 3
y = Sq.apply(h)
h += 1  # observed: AGH301
y.sum().backward()
