import torch
torch.manual_seed(0)
X = torch.randn(20, 3); y = X @ torch.tensor([1.0, -2.0, 0.5]) + 0.3
w = torch.zeros(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.1
for epoch in range(50):
    loss = ((X @ w + b - y) ** 2).mean()
    loss.backward()
    w -= lr * w.grad
    b -= lr * b.grad
    w.grad.zero_()
    b.grad.zero_()
assert loss.item() < 0.1, loss.item()
print("OK")
