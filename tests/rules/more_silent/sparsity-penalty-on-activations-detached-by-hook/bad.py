import torch
from torch import nn
import torch.nn.functional as F


class ActivationRecorder:
    def __init__(self, model, kinds=(nn.ReLU,)):
        self.outputs = []
        for module in model.modules():
            if isinstance(module, kinds):
                module.register_forward_hook(self.record)

    def record(self, module, inputs, output):
        self.outputs.append(output.detach())

    def penalty(self):
        total = sum(out.abs().mean() for out in self.outputs)
        self.outputs.clear()
        return total


def train(strength):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    recorder = ActivationRecorder(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        x, y = torch.randn(6, 4), torch.randint(2, (6,))
        loss = F.cross_entropy(model(x), y)
        loss = loss + strength * recorder.penalty()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model[0].weight.detach()


print("HAZARD-OBSERVED" if torch.equal(train(0.0), train(1.0)) else "OK")
