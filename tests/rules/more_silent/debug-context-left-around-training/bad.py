import torch
from torch import nn


class Experiment:
    def __init__(self, debug=False):
        self.net = nn.Linear(3, 1)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.slow = False

    def setup(self):
        torch.manual_seed(0)
        torch.autograd.set_detect_anomaly(mode=True)

    def run(self, epochs=2):
        self.setup()
        for _ in range(epochs):
            self.slow = self.slow or torch.is_anomaly_enabled()
            loss = self.net(torch.randn(4, 3)).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()


experiment = Experiment()
experiment.run()
print("HAZARD-OBSERVED" if experiment.slow else "OK")
