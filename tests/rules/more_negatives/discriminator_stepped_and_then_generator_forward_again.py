import torch
from torch import nn

torch.manual_seed(0)
G, D = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)), nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
opts = dict(g=torch.optim.Adam(G.parameters()), d=torch.optim.Adam(D.parameters()))
bce = nn.BCEWithLogitsLoss()


def train_d(real, fake):
    opts["d"].zero_grad()
    loss = bce(D(real), torch.ones(len(real), 1)) + bce(D(fake), torch.zeros(len(fake), 1))
    loss.backward()
    opts["d"].step()
    return loss.item()


def train_g(fake):
    opts["g"].zero_grad()
    loss = bce(D(fake), torch.ones(len(fake), 1))
    loss.backward()
    opts["g"].step()
    return loss.item()


for _ in range(3):
    fake = G(torch.randn(8, 4))
    train_d(torch.randn(8, 2), fake.detach())
    train_g(fake)
print("OK")
