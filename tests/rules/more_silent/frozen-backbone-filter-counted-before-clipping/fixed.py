import torch
from torch import nn

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 8), nn.ReLU())
        self.head = nn.Linear(8, 3)
        for parameter in self.backbone.parameters():
            parameter.requires_grad = False

    def forward(self, x):
        return self.head(self.backbone(x))


model = Classifier()
trainable = [p for p in model.parameters() if p.requires_grad]
print("trainable parameters:", sum(p.numel() for p in trainable))
optimizer = torch.optim.SGD(model.head.parameters(), lr=1.0)
longest = 0.0
for _ in range(3):
    x, y = torch.randn(16, 6) * 20, torch.randint(0, 3, (16,))
    before = model.head.weight.detach().clone()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(trainable, 0.01)
    optimizer.step()
    longest = max(longest, (model.head.weight.detach() - before).norm().item())
print("OK" if longest < 0.011 else "HAZARD-OBSERVED")
