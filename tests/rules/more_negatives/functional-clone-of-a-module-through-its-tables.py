"""A copy of a network whose parameters are clones, made through the module's own tables: the loss reaches the original."""

import torch
from torch import nn


def differentiable_copy(module, seen=None):
    seen = {} if seen is None else seen
    twin = module.__new__(type(module))
    twin.__dict__ = module.__dict__.copy()
    twin._parameters = twin._parameters.copy()
    twin._buffers = twin._buffers.copy()
    twin._modules = twin._modules.copy()
    for name, parameter in module._parameters.items():
        if parameter is not None:
            if parameter not in seen:
                seen[parameter] = parameter.clone()
            twin._parameters[name] = seen[parameter]
    for name, child in module._modules.items():
        twin._modules[name] = differentiable_copy(child, seen)
    return twin


def moved(module, updates):
    for parameter, update in zip(list(module.parameters()), updates):
        parameter.update = update
    return shifted(module)


def shifted(module):
    for name, parameter in module._parameters.items():
        if parameter is not None and getattr(parameter, "update", None) is not None:
            module._parameters[name] = parameter + parameter.update
    for name, child in module._modules.items():
        module._modules[name] = shifted(child)
    return module


net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
criterion = nn.MSELoss()

for _ in range(4):
    optimizer.zero_grad()
    for task in range(3):
        fast = differentiable_copy(net)
        inner = criterion(fast(torch.randn(10, 6)), torch.randn(10, 1))
        gradients = torch.autograd.grad(inner, list(fast.parameters()), create_graph=True)
        fast = moved(fast, [-0.1 * g for g in gradients])
        outer = criterion(fast(torch.randn(10, 6)), torch.randn(10, 1))
        outer.backward()
    optimizer.step()
print("OK")
