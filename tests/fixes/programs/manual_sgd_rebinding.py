import torch
torch.manual_seed(0)
X = torch.randn(20, 2); y = X.sum(1)
w = torch.zeros(2, requires_grad=True)
for epoch in range(40):
    loss = ((X @ w - y) ** 2).mean()
    loss.backward()
    w = w - 0.1 * w.grad
print("OK")
