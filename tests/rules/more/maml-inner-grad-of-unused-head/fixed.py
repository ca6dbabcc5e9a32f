from collections import OrderedDict

import torch
from torch import nn
from torch.func import functional_call


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 16), nn.ReLU())
        self.main = nn.Linear(16, 1)
        self.aux = nn.Linear(16, 4)

    def forward(self, x, aux=False):
        h = self.trunk(x)
        return self.aux(h) if aux else self.main(h)


class MAML:
    def __init__(self, model, inner_lr=0.05, steps=2):
        self.model, self.inner_lr, self.steps = model, inner_lr, steps
        self.meta = torch.optim.Adam(model.parameters(), lr=1e-3)

    def adapt(self, x, y):
        fast = OrderedDict((n, p) for n, p in self.model.named_parameters() if not n.startswith("aux"))
        for _ in range(self.steps):
            loss = nn.functional.mse_loss(functional_call(self.model, fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = OrderedDict((n, p - self.inner_lr * g) for (n, p), g in zip(fast.items(), grads))
        return fast

    def outer(self, tasks):
        total = 0.0
        for (xs, ys), (xq, yq) in tasks:
            fast = self.adapt(xs, ys)
            total = total + nn.functional.mse_loss(functional_call(self.model, fast, (xq,)), yq)
        self.meta.zero_grad()
        total.backward()
        self.meta.step()
        return total.detach()


torch.manual_seed(0)
task = lambda: tuple((torch.randn(5, 3), torch.randn(5, 1)) for _ in range(2))
maml = MAML(TwoHeads())
for it in range(2):
    print(it, maml.outer([task() for _ in range(3)]).item())
