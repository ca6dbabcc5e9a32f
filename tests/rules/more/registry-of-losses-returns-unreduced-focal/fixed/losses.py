import torch.nn.functional as F
from torch import nn

REGISTRY = {}


def register(name):
    def wrap(cls):
        REGISTRY[name] = cls
        return cls
    return wrap


def build(name, **kwargs):
    return REGISTRY[name](**kwargs)


@register("ce")
class CrossEntropy(nn.Module):
    def forward(self, logits, labels):
        return F.cross_entropy(logits, labels)


@register("focal")
class Focal(nn.Module):
    def __init__(self, gamma=1.5):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, labels):
        ce = F.cross_entropy(logits, labels, reduction="none")
        p = (-ce).exp()
        return (1 - p) ** self.gamma * ce
