import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(m.parameters(), 0.1)
n = [0, 0]


def pack(t):
    n[0] += 1
    return t.numpy() if not t.requires_grad else t.detach().numpy()


def unpack(t):
    n[1] += 1
    return torch.from_numpy(t)


for i in range(3):
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        l = m(torch.randn(5, 4)).pow(2).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    print(l.item().hex(), n)
with torch.autograd.graph.save_on_cpu():
    l = m(torch.randn(5, 4)).pow(2).mean()
l.backward()
print(m[0].weight.grad.sum().item().hex())
try:
    with torch.autograd.graph.disable_saved_tensors_hooks("no hooks"), torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        pass
except RuntimeError as e:
    print(e)
with torch.autograd.graph.disable_saved_tensors_hooks("no hooks"):
    l = m(torch.randn(5, 4)).sum()
    l.backward()
with torch.autograd.graph.allow_mutation_on_saved_tensors():
    a = torch.ones(3, requires_grad=True)
    b = a * 2
    c = b.exp()
    b.add_(1)
    c.mul_(2)
    c.sum().backward()
    print(a.grad)
