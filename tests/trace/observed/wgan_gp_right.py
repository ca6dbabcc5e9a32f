import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 8), nn.ReLU(True), nn.Linear(8, 2))
D = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2, True), nn.Linear(8, 1))
og, od = torch.optim.RMSprop(G.parameters()), torch.optim.RMSprop(D.parameters())
for i in range(6):
    real = torch.randn(8, 2)
    fake = G(torch.randn(8, 4)).detach()
    e = torch.rand(8, 1)
    xh = (e * real + (1 - e) * fake).requires_grad_(True)
    (gr,) = torch.autograd.grad(D(xh).sum(), xh, create_graph=True)
    dl = D(fake).mean() - D(real).mean() + 10 * ((gr.norm(2, 1) - 1) ** 2).mean()
    od.zero_grad()
    dl.backward()
    od.step()
    if i % 2 == 0:
        gl = -D(G(torch.randn(8, 4))).mean()
        og.zero_grad()
        gl.backward()
        og.step()
    print(dl.item().hex())
