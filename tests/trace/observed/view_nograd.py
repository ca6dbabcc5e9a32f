import torch

w = torch.randn(4, 3, requires_grad=True)
h = w * 1
with torch.no_grad():
    v = h[0]
try:
    v.mul_(w[0])  # observed: AGH303
except RuntimeError:
    print("err")
