import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
for it in range(3):
    x, y = torch.randn(5, 3, requires_grad=True), torch.randn(5, 1)
    out = net(x).tanh()
    (g,) = torch.autograd.grad(out.sum(), x, retain_graph=True)  # observed: AGH105
    loss = (out - y).pow(2).mean() + ((g.norm(dim=1) - 1) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item().hex())
