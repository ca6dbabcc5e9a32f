import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from torch.utils.data import DataLoader, TensorDataset, random_split
X = torch.randn(6, 3); Y = X @ w.detach()
train, val = random_split(TensorDataset(X, Y), [4, 2])
net = nn.Linear(3, 1); opt = torch.optim.SGD(net.parameters(), 0.1)
for a, b in DataLoader(train, batch_size=2):
    opt.zero_grad(); loss = ((net(a).squeeze() - b) ** 2).mean(); loss.backward(); opt.step()
loss.backward()
