import torch
from torch import nn

class 原型网络(nn.Module):
    """带滑动平均原型的编码器"""
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 8), nn.Tanh())
        self.head = nn.Linear(8, 3)
        self.prototype = torch.zeros(8)

    def forward(self, x):
        z = self.encoder(x)
        # 更新原型（滑动平均）
        self.prototype = 0.9 * self.prototype + 0.1 * z.mean(dim=0)
        return self.head(z - self.prototype)

torch.manual_seed(0)
model = 原型网络()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    logits = model(torch.randn(12, 6))
    loss = nn.functional.cross_entropy(logits, torch.randint(0, 3, (12,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
assert not model.prototype.requires_grad or model.prototype.grad_fn is not None
print("OK")
