import torch


class ReverseGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lambd):
        ctx.lambd = lambd
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.lambd * grad


def grad_reverse(x, lambd=1.0):
    return ReverseGrad.apply(x, lambd)
