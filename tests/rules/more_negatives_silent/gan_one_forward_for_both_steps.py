import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
netG, netD = nn.Sequential(nn.Linear(4, 8), nn.ReLU(True), nn.Linear(8, 2)), nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2, True), nn.Linear(8, 1))
optG, optD = torch.optim.Adam(netG.parameters()), torch.optim.Adam(netD.parameters())
bce = nn.BCEWithLogitsLoss()
d_losses, g_losses = [], []
for i in range(4):
    real = torch.randn(6, 2)
    ones, zeros = torch.ones(6, 1), torch.zeros(6, 1)
    netD.zero_grad()
    err_real = bce(netD(real), ones)
    err_real.backward()
    fake = netG(torch.randn(6, 4))
    err_fake = bce(netD(fake.detach()), zeros)
    err_fake.backward()
    optD.step()
    netG.zero_grad()
    err_g = bce(netD(fake), ones)
    err_g.backward()
    optG.step()
    d_losses.append((err_real + err_fake).item())
    g_losses.append(err_g.detach())
assert torch.stack(g_losses).mean().item() > 0
print("OK")
