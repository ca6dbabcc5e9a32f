import torch

w = torch.ones(4, 4, requires_grad=True)
x = w.exp()
h = w * 1.0
with torch.inference_mode():
    x.data = h.clone()
y = torch.relu(x)
y.mean().backward()
