import torch
from torch import nn


class TwoBranch(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.cls = nn.Sequential(nn.ELU(), nn.Linear(c, 3))
        self.box = nn.Sequential(nn.Linear(c, 2))

    def forward(self, features):
        logits = self.cls(features)
        boxes = self.box(features)
        return {"logits": logits, "boxes": boxes}


torch.manual_seed(0)
stem, head = nn.Linear(5, 4), TwoBranch()
optimizer = torch.optim.SGD([*stem.parameters(), *head.parameters()], lr=0.1)
out = head(stem(torch.randn(3, 5)))
loss = out["logits"].pow(2).mean() + out["boxes"].abs().mean()
loss.backward()
optimizer.step()
with torch.no_grad():
    f = torch.randn(3, 4)
    same = torch.allclose(head(f.clone())["boxes"], head.box(f))
print("OK" if same else "HAZARD-OBSERVED")
