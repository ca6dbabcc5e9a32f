import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.linspace(-1, 1, 20).unsqueeze(1)
y = x.pow(3)
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5, history_size=4, line_search_fn="strong_wolfe")
history = []


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    history.append(loss.item())
    return loss


for epoch in range(3):
    loss = optimizer.step(closure)
assert history[-1] < history[0]
print("OK")
