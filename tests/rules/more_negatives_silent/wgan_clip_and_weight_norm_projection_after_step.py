import torch
from torch import nn

torch.manual_seed(0)
critic, generator = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1)), nn.Linear(3, 2)
opt_c, opt_g = torch.optim.RMSprop(critic.parameters(), lr=5e-3), torch.optim.RMSprop(generator.parameters(), lr=5e-3)
for i in range(4):
    for _ in range(2):
        fake = generator(torch.randn(6, 3)).detach()
        loss_c = critic(fake).mean() - critic(torch.randn(6, 2)).mean()
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
        for p in critic.parameters():
            p.data.clamp_(-0.05, 0.05)
    loss_g = -critic(generator(torch.randn(6, 3))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    with torch.no_grad():
        generator.weight.div_(generator.weight.norm(dim=1, keepdim=True).clamp(min=1.0))
assert max(p.abs().max().item() for p in critic.parameters()) <= 0.0501
print("OK")
