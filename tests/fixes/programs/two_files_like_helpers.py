import torch
from torch import nn

def compute_losses(G, D, real, z):
    fake = G(z)
    d = -(torch.log(torch.sigmoid(D(real))) + torch.log(1 - torch.sigmoid(D(fake)))).mean()
    g = -torch.log(torch.sigmoid(D(fake))).mean()
    return {"d": d, "g": g}

def apply(losses, opts):
    for name in ("d", "g"):
        opts[name].zero_grad()
        losses[name].backward()
        opts[name].step()

def main():
    torch.manual_seed(0)
    G, D = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 3)), nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    opts = {"g": torch.optim.Adam(G.parameters()), "d": torch.optim.Adam(D.parameters())}
    for _ in range(2):
        apply(compute_losses(G, D, torch.randn(5, 3), torch.randn(5, 2)), opts)
    print("OK")

if __name__ == "__main__":
    main()
