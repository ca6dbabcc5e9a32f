import torch

torch.manual_seed(0)
W = torch.randn(3, 2, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
params = [W, b]
x, y = torch.randn(10, 3), torch.randn(10, 2)
for step in range(5):
    for p in params:
        p.grad = None
    loss = ((x @ W + b).tanh() - y).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        for p in params:
            p -= 0.1 * p.grad
            p.clamp_(-2, 2)
        W[0] *= 0.99
print("OK")
