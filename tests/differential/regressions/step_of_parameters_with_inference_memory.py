import torch
from torch import nn

net = nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
with torch.inference_mode():
    nn.utils.vector_to_parameters(nn.utils.parameters_to_vector(net.parameters()), net.parameters())
net(torch.randn(4, 4)).mean().backward()
opt.step()
