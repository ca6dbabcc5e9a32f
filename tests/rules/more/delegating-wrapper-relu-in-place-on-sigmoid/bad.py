import torch
from torch import nn


class Wrapped(nn.Module):
    def __init__(self, inner, act):
        super().__init__()
        self.inner = inner
        self.act = act

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("inner"), name)

    def forward(self, *args):
        return self.act(self.inner(*args))


class Gate(nn.Module):
    width = 6

    def __init__(self):
        super().__init__()
        for i in range(2):
            setattr(self, f"fc{i}", nn.Linear(4, self.width))

    def forward(self, x):
        return torch.sigmoid(getattr(self, "fc0")(x) + getattr(self, "fc1")(x))


def make_act(kind):
    match kind:
        case "lrelu":
            return nn.LeakyReLU(0.1, inplace=True)
        case "elu":
            return nn.ELU()
        case _:
            return nn.Identity()


torch.manual_seed(0)
gate = Wrapped(Gate(), make_act("lrelu"))
net = nn.Sequential(gate, nn.Linear(gate.width, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(3, 4)).pow(2).mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
