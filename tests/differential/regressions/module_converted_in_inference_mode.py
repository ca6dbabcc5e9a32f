import torch
from torch import nn

net = nn.Linear(4, 4)
with torch.inference_mode():
    net.half()
net.requires_grad_(True)
