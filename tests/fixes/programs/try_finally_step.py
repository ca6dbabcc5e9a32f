import torch
from torch import nn
torch.manual_seed(0)
enc, dec = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3)), nn.Linear(3, 3)
opts = {"enc": torch.optim.SGD(enc.parameters(), lr=.1), "dec": torch.optim.SGD(dec.parameters(), lr=.1)}
for i in range(2):
    x = torch.randn(4, 3)
    z = enc(x)
    recon = (dec(z) - x).pow(2).mean()
    prior = z.pow(2).mean()
    for o in opts.values():
        o.zero_grad()
    try:
        recon.backward(retain_graph=True)
        opts["dec"].step()
        opts["enc"].step()
    finally:
        prior.backward()
        opts["enc"].step()
print("OK")
