import torch
from torch import nn
torch.manual_seed(0)
backbone, head = nn.Linear(4, 4), nn.Linear(4, 1)
backbone.requires_grad = False  # 冻结
opt = torch.optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.1)
old = backbone.weight.detach().clone()
for _ in range(2):
    loss = head(torch.relu(backbone(torch.randn(3, 4)))).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
print("OK" if torch.equal(old, backbone.weight) else "HAZARD-OBSERVED backbone moved")
