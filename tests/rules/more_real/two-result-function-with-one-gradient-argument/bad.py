import torch


class Normalise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        norm = x.norm(dim=1, keepdim=True)
        y = x / norm
        ctx.save_for_backward(y, norm)
        return y, norm

    @staticmethod
    def backward(ctx, grad):
        y, norm = ctx.saved_tensors
        return (grad - y * (grad * y).sum(1, keepdim=True)) / norm


x = torch.randn(4, 3, requires_grad=True)
y, norm = Normalise.apply(x)
(y.sum() + norm.sum()).backward()
