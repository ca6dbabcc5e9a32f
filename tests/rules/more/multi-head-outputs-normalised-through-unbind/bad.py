import torch
import torch.nn.functional as F
from torch import nn


class HeadNorm(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(())) for _ in range(heads)])

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        out = F.scaled_dot_product_attention(q, k, v)
        for head, scale in zip(out.unbind(dim=1), self.scales):
            head /= head.norm(dim=-1, keepdim=True).add(1e-6)
            head *= scale
        return out.transpose(1, 2).reshape(b, n, d)


torch.manual_seed(0)
layer = HeadNorm(16, 4)
layer(torch.randn(2, 5, 16)).mean().backward()
print(sum(p.grad.abs().sum() for p in layer.parameters()))
