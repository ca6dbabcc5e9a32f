import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.Sigmoid(), nn.Dropout(0.2), nn.Linear(8, 5))
opt = torch.optim.AdamW(net.parameters())
for clean in torch.rand(3, 6, 5):
    noisy = clean.clone()
    noisy += 0.1 * torch.randn_like(noisy)
    noisy.clamp_(0, 1)
    target = clean.mul_(2).sub_(1)
    loss = nn.functional.mse_loss(net(noisy), target)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    noisy.zero_()
print("OK")
