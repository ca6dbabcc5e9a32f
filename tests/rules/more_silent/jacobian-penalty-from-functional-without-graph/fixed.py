import torch
from torch import nn
from torch.autograd.functional import jacobian


def train(weight):
    torch.manual_seed(0)
    enc, dec = nn.Sequential(nn.Linear(4, 3), nn.Tanh()), nn.Linear(3, 4)
    optimizer = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.1)
    for _ in range(2):
        x = torch.randn(4)
        recon = nn.functional.mse_loss(dec(enc(x)), x)
        contraction = jacobian(enc, x, create_graph=True).pow(2).sum()
        loss = recon + weight * contraction
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return enc[0].weight.detach()


print("HAZARD-OBSERVED" if torch.equal(train(0.0), train(1.0)) else "OK")
