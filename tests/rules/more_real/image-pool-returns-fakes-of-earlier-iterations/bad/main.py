import torch
import torch.nn as nn

from image_pool import ImagePool

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))
D = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_G = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_D = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
pool = ImagePool(3)
criterion = nn.MSELoss()

for i in range(4):
    real_A, real_B = torch.randn(2, 4), torch.randn(2, 4)
    fake_B = G(real_A)
    opt_G.zero_grad()
    pred = D(fake_B)
    criterion(pred, torch.ones_like(pred)).backward()
    opt_G.step()

    opt_D.zero_grad()
    fake = pool.query(fake_B)
    loss_D = criterion(D(real_B), torch.ones(2, 1)) + criterion(D(fake), torch.zeros(2, 1))
    loss_D.backward()
    opt_D.step()
