import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode


class Calls(TorchDispatchMode):
    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        Calls.count += 1
        return func(*args, **(kwargs or {}))


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
traced = torch.jit.trace(net, torch.randn(2, 3))
traced(torch.ones(2, 3)).sum().backward()
print(traced.graph, net[0].weight.grad.sum().item().hex())
with Calls():
    net(torch.ones(1, 3)).sum().backward()
print(Calls.count)
sample = torch.func.grad(lambda x: x.clone().mul_(2).zero_().sum())(torch.ones(3))
print(sample)
