import torch
from torch import nn
class Stack(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = [nn.Linear(4, 4) for _ in range(n)]
        self.head = nn.Linear(4, 1)
    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.head(x)
torch.manual_seed(0)
net = Stack(2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
old = net.layers[0].weight.detach().clone()
for _ in range(3):
    opt.zero_grad(); net(torch.randn(5, 4)).pow(2).mean().backward(); opt.step()
print("OK" if not torch.equal(old, net.layers[0].weight) else "HAZARD-OBSERVED layers never move")
