"""Inner-loop updates that put each gradient into its weight's ``grad``, whether that is a leaf or not."""

import torch
from torch import nn


class Fast(nn.Module):
    def __init__(self, slow):
        super().__init__()
        self.weights = {name: parameter.clone() for name, parameter in slow.named_parameters()}

    def forward(self, x):
        return torch.func.functional_call(slow, self.weights, (x,))

    def adapt(self, loss, lr):
        gradients = torch.autograd.grad(loss, list(self.weights.values()), create_graph=True)
        for weight, gradient in zip(self.weights.values(), gradients):
            weight.grad = gradient
        for name in list(self.weights):
            weight = self.weights[name]
            if weight is not None and weight.grad is not None:
                self.weights[name] = weight - lr * weight.grad
                weight.grad = None


slow = nn.Linear(4, 1)
optimizer = torch.optim.SGD(slow.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    fast = Fast(slow)
    for _ in range(2):
        fast.adapt(fast(torch.randn(6, 4)).pow(2).mean(), 0.1)
    fast(torch.randn(6, 4)).pow(2).mean().backward()
    optimizer.step()
print("OK")
