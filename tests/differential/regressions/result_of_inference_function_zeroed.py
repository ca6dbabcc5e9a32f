import torch


@torch.inference_mode()
def fn(t):
    return torch.maximum(t, t)


fn(torch.zeros(4, 4)).zero_()
