"""Programs with markers for the tests of the server."""

# The in-place change is the finding; the story goes from the exponential to the backward.
SAVED_CHANGED = """\
import torch

weight = torch.randn(3, requires_grad=True)
«saved»grown = torch.exp(weight)
«finding»grown.add_(1)«/finding»
«fails»grown.sum().backward()
"""

CLEAN = """\
import torch

weight = torch.randn(3, requires_grad=True)
torch.exp(weight).sum().backward()
"""

TRAINING = """\
import torch
from torch import nn

net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = «loss»torch.tanh«/loss»(net(torch.randn(2, 4))).sum()
    optimizer.zero_grad()
    «backward»loss.backward()«/backward»
    «step»optimizer.step()«/step»
«nothing»print("done")  # «code»AGH301
"""
