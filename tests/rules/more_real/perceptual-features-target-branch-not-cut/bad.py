import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 16), nn.Linear(16, 8), nn.Linear(8, 1)])

    def forward(self, x):
        features = []
        for layer in self.layers:
            x = nn.functional.leaky_relu(layer(x), 0.2)
            features.append(x)
        return features


torch.manual_seed(0)
G, D = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 4)), Critic()
optimizers = [torch.optim.Adam(G.parameters(), lr=1e-3), torch.optim.Adam(D.parameters(), lr=1e-3)]
touched = []
for _ in range(2):
    real, fake = torch.randn(6, 4), G(torch.randn(6, 3))
    for o in optimizers:
        o.zero_grad()
    d_loss = (D(real)[-1] - 1).pow(2).mean() + D(fake)[-1].pow(2).mean()
    d_loss.backward()
    optimizers[1].step()
    touched.append(G[0].weight.grad is not None)
    optimizers[0].zero_grad()
    fake = G(torch.randn(6, 3))
    g_loss = sum((a - b.detach()).abs().mean() for a, b in zip(D(fake), D(real)))
    g_loss.backward()
    optimizers[0].step()
print("HAZARD-OBSERVED" if any(touched) else "OK")
