import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from torch.utils.data import DataLoader
def collate(samples):
    return torch.stack([s[0] for s in samples]).detach(), torch.stack([s[1] for s in samples])
Y = torch.exp(x * w)
for a, b in DataLoader([(y, y * 2) for y in Y], batch_size=1, collate_fn=collate):
    (a * b).sum().backward()
