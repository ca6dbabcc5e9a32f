import torch
import torch.nn as nn
import torch.nn.functional as F


def build(width):
    return nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 4))


class MutualTrainer:
    def __init__(self, widths):
        self.nets = [build(w) for w in widths]
        self.optims = [torch.optim.SGD(n.parameters(), lr=0.1, momentum=0.9) for n in self.nets]

    def loss(self, i, outputs, y):
        own = F.cross_entropy(outputs[i], y)
        peers = [F.kl_div(F.log_softmax(outputs[i], 1), F.softmax(o, 1), reduction="batchmean") for j, o in enumerate(outputs) if j != i]
        return own + sum(peers) / len(peers)

    def step(self, x, y):
        outputs = [net(x) for net in self.nets]
        for i, optim in enumerate(self.optims):
            loss = self.loss(i, outputs, y)
            optim.zero_grad()
            loss.backward(retain_graph=True)
            optim.step()


torch.manual_seed(0)
trainer = MutualTrainer([16, 24])
for _ in range(2):
    trainer.step(torch.randn(6, 8), torch.randint(4, (6,)))
