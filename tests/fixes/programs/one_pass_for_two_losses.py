import torch
from torch import nn

torch.manual_seed(0)
G, D = nn.Linear(3, 4), nn.Linear(4, 1)
opt_g = torch.optim.SGD(G.parameters(), lr=0.1)
opt_d = torch.optim.SGD(D.parameters(), lr=0.1)
wasted = []
G.weight.register_hook(lambda grad: wasted.append(grad))
for i in range(3):
    fake, real = G(torch.randn(5, 3)), torch.randn(5, 4)
    score = D(fake)
    d_loss = score.sigmoid().mean() - D(real).sigmoid().mean()
    g_loss = -score.sigmoid().mean()
    opt_d.zero_grad()
    d_loss.backward(retain_graph=True)
    opt_g.zero_grad()
    g_loss.backward(inputs=list(G.parameters()))
    opt_g.step()
    opt_d.step()
if len(wasted) > 3:
    print("HAZARD-OBSERVED")
print("OK")
