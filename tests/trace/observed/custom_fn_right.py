import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        return g * (s + x * s * (1 - s))


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lo):
        ctx.mark_dirty(x)
        x.clamp_(min=lo)
        return x

    @staticmethod
    def backward(ctx, g):
        return g, None


torch.manual_seed(0)
w = torch.randn(4, 4, requires_grad=True)
opt = torch.optim.SGD([w], 0.1)
for i in range(3):
    y = Swish.apply(torch.randn(3, 4) @ w)
    y = Clip.apply(y + 1, 0.5)
    l = y.sum()
    opt.zero_grad()
    l.backward()
    opt.step()
    print(l.item().hex())
print(torch.autograd.gradcheck(Swish.apply, torch.randn(3, dtype=torch.double, requires_grad=True)))
