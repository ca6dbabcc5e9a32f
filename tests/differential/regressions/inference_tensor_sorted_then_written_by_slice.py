import torch


@torch.inference_mode()
def fn(t):
    return t.sort(dim=0)[0]


y = fn(torch.randn(4, 4))
y[1:, 2:] = 0.0
