import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class Critic(nn.Module):
    def __init__(self, depth=2, dim=4):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(dim, dim), nn.Tanh()) for _ in range(depth))
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=True)
        return self.out(x)


def penalty(critic, x):
    x = x.requires_grad_(True)
    grad = torch.autograd.grad(critic(x).sum(), x, create_graph=True)[0]
    return (grad.norm(dim=1) - 1).pow(2).mean()


torch.manual_seed(0)
critic = Critic()
penalty(critic, torch.randn(5, 4)).backward()
