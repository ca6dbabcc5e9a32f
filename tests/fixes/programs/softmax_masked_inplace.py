import torch
from torch import nn
class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d, d) for _ in range(3))
    def forward(self, x, mask):
        scores = self.q(x) @ self.k(x).transpose(-2, -1)
        weights = scores.softmax(-1)
        weights[:, mask] = 0.0
        weights /= weights.sum(-1, keepdim=True)
        return weights @ self.v(x)
torch.manual_seed(0)
att = Attention(4)
out = att(torch.randn(3, 4), torch.tensor([False, True, False]))
out.sum().backward()
print("OK")
