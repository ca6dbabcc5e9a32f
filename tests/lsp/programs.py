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
