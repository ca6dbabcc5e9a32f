import torch

action = torch.distributions.Categorical(logits=torch.randn(4, 4)).sample()
action.detach_()
