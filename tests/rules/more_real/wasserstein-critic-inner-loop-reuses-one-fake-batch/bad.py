import torch
import torch.nn as nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
C = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
opt = {"G": torch.optim.RMSprop(G.parameters(), lr=5e-5), "C": torch.optim.RMSprop(C.parameters(), lr=5e-5)}


def critic_loss(real, fake):
    return C(fake).mean() - C(real).mean()


for step in range(2):
    fake = G(torch.randn(8, 3))
    for _ in range(3):
        real = torch.randn(8, 2)
        opt["C"].zero_grad()
        loss = critic_loss(real, fake)
        loss.backward()
        opt["C"].step()
        with torch.no_grad():
            for p in C.parameters():
                p.clamp_(-0.01, 0.01)
    opt["G"].zero_grad()
    (-C(fake).mean()).backward()
    opt["G"].step()
