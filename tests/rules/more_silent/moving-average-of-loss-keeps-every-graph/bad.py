import torch
from torch import nn


class Progress:
    def __init__(self, beta=0.9):
        self.beta = beta
        self.average = None

    def __call__(self, loss):
        if self.average is None:
            self.average = loss
        else:
            self.average = self.beta * self.average + (1 - self.beta) * loss
        return self.average


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid(), nn.Linear(4, 2))
opt = torch.optim.RMSprop(net.parameters(), lr=0.01)
progress = Progress()
for step in range(6):
    x, y = torch.randn(8, 4), torch.randint(2, (8,))
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    progress(loss)
print("HAZARD-OBSERVED" if torch.is_tensor(progress.average) and progress.average.requires_grad else "OK")
