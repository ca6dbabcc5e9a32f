import warnings

import torch
import torch.nn as nn

warnings.simplefilter("ignore")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv1d(1, 4, 3, padding=1), nn.ReLU())
        self.classifier = nn.Linear(4, 3)

    def forward(self, x):
        self.activations = self.features(x)
        return self.classifier(self.activations.mean(-1))


def cam(net, x, target):
    net.zero_grad()
    net(x)[0, target].backward()
    gradient = net.activations.grad
    if gradient is None:
        return None
    return (gradient.mean(-1, keepdim=True) * net.activations).sum(1).relu()


torch.manual_seed(0)
print("HAZARD-OBSERVED" if cam(Net(), torch.randn(1, 1, 8), 1) is None else "OK")
