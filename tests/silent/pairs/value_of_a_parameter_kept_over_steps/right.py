import torch

torch.manual_seed(0)
w = torch.randn(4, requires_grad=True)
goal = torch.randn(4)
optimizer = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    shifted = w + 1.0
    loss = (shifted - goal).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
result = [w.detach().clone()]
