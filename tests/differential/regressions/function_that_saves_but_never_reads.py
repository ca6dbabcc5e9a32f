import torch


class Op(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.save_for_backward(t)
        return t.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad + 1.0


w = torch.randn(4, 4, requires_grad=True)
loss = Op.apply(w).sum()
loss.backward()
loss.backward()
