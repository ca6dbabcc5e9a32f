import torch
w = torch.randn(3, requires_grad=True) * 0.1
opt_params = [w]
x = torch.randn(5, 3)
loss = (x @ w).pow(2).mean()
loss.backward()
print("OK" if w.grad is not None else "HAZARD-OBSERVED no grad")
