import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(4, 4)
x, y = torch.randn(4, 4), torch.randn(4, 4)
fast = dict(net.named_parameters())
out = torch.func.functional_call(net, fast, (x,))
for _ in range(2):
    out.uniform_(0.0, 1.0)
    loss = F.mse_loss(out, y)
    grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True, allow_unused=True)
    fast = {name: g for (name, p), g in zip(fast.items(), grads, strict=True)}
