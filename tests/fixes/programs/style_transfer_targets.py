import torch
from torch import nn
torch.manual_seed(0)
cnn = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 3))
def gram(f):
    n, c, h, w = f.shape
    f = f.view(c, h * w)
    return f @ f.t() / (c * h * w)
content, style = torch.rand(1, 3, 8, 8), torch.rand(1, 3, 8, 8)
content_target = cnn(content)
style_target = gram(cnn(style))
image = content.clone().requires_grad_(True)
opt = torch.optim.Adam([image], lr=0.01)
for i in range(3):
    f = cnn(image)
    loss = (f - content_target).pow(2).mean() + 1e3 * (gram(f) - style_target).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
print("OK")
