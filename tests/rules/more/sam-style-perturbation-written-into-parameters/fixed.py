import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base = base(self.param_groups, **kwargs)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def first_step(self):
        norm = self.grad_norm()
        for group in self.param_groups:
            scale = group["rho"] / (norm + 1e-12)
            for p in group["params"]:
                if p.grad is None:
                    continue
                e = p.grad * scale
                p.add_(e)
                self.state[p]["e"] = e
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if "e" in self.state[p]:
                    p.sub_(self.state[p]["e"])
        self.base.step()
        self.zero_grad()

    def grad_norm(self):
        return torch.stack([p.grad.norm(p=2) for g in self.param_groups for p in g["params"] if p.grad is not None]).norm(p=2)

    def step(self, closure=None):
        raise NotImplementedError


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 12), nn.SiLU(), nn.Linear(12, 2))
opt = SAM(net.parameters(), torch.optim.SGD, lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
for _ in range(2):
    x, y = torch.randn(9, 5), torch.randint(2, (9,))
    criterion(net(x), y).backward()
    opt.first_step()
    criterion(net(x), y).backward()
    opt.second_step()
