import torch


def stream(t):
    with torch.no_grad():
        yield t


w = torch.rand(4, 4).requires_grad_(True)
for t in stream(w):
    y = t
    break
x = next(stream(w))
w.cumprod(0).backward()
