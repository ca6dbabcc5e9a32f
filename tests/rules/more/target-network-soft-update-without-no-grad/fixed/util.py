import torch


@torch.no_grad()
def soft_update(source, target, tau):
    for p, t in zip(source.parameters(), target.parameters()):
        t.mul_(1 - tau).add_(tau * p)
