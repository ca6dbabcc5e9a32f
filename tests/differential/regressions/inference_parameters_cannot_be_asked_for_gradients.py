import torch
from torch import nn

with torch.inference_mode():
    net = nn.Linear(4, 4)
net.requires_grad_(True)
