import torch
import torch.nn as nn


class SoftArgmax2d(nn.Module):
    def __init__(self, size, beta=10.0):
        super().__init__()
        self.beta = beta
        axis = torch.linspace(0, 1, size)
        self.register_buffer("xs", axis.view(1, 1, 1, size))
        self.register_buffer("ys", axis.view(1, 1, size, 1))

    def forward(self, heat):
        heat = torch.exp(self.beta * (heat - heat.amax(dim=(2, 3), keepdim=True)))
        heat = heat / heat.sum(dim=(2, 3), keepdim=True)
        return torch.stack([(heat * self.xs).sum((2, 3)), (heat * self.ys).sum((2, 3))], dim=-1)


class Hourglass(nn.Module):
    def __init__(self, joints):
        super().__init__()
        self.down = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(8, joints, 2, stride=2)
        self.locate = SoftArgmax2d(8)

    def forward(self, x):
        return self.locate(self.up(torch.relu_(self.down(x))))


torch.manual_seed(0)
net = Hourglass(4)
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
for step, x in enumerate(torch.rand(2, 3, 3, 8, 8)):
    loss = nn.functional.l1_loss(net(x), torch.rand(3, 4, 2))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
