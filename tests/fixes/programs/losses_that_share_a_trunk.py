import torch
from torch import nn

torch.manual_seed(0)
trunk, heads = nn.Linear(3, 4), {"a": nn.Linear(4, 1), "b": nn.Linear(4, 1)}
x = torch.randn(6, 3)


def losses():
    h = trunk(x).tanh()
    return {name: head(h).pow(2).mean() for name, head in heads.items()}


found = losses()
[loss.backward() for loss in found.values()]
once = trunk.weight.grad.clone()
trunk.zero_grad()
found = losses()
for name in sorted(found):
    found[name].mul(2).backward()
twice = trunk.weight.grad.clone()
expected = torch.autograd.grad(sum(losses().values()), trunk.weight)[0]
assert torch.allclose(once, expected) and torch.allclose(twice, 2 * expected)
print("OK")
