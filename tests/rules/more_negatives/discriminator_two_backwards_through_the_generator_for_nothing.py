import torch
from torch import nn

torch.manual_seed(0)
gen, disc = nn.Linear(2, 2), nn.Linear(2, 1)
opt_d = torch.optim.Adam(disc.parameters())
opt_g = torch.optim.Adam(gen.parameters())
bce = nn.functional.binary_cross_entropy_with_logits
one, zero = torch.ones(4, 1), torch.zeros(4, 1)
for _ in range(3):
    disc.zero_grad()
    bce(disc(torch.randn(4, 2)), one).backward()
    bce(disc(gen(torch.randn(4, 2))), zero).backward()  # wasteful, yet both losses are the discriminator's own
    opt_d.step()
    gen.zero_grad()
    bce(disc(gen(torch.randn(4, 2))), one).backward()
    opt_g.step()
print("OK")
