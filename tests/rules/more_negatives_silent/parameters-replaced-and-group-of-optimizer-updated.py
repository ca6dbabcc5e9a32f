import torch
import torch.nn as nn


class Splats:
    def __init__(self, n):
        self.xyz = nn.Parameter(torch.randn(n, 3))
        self.opt = torch.optim.Adam([{'params': [self.xyz], 'lr': 0.01, 'name': 'xyz'}], lr=0.0)

    def replace(self, tensor, name):
        for group in self.opt.param_groups:
            if group['name'] == name:
                state = self.opt.state.pop(group['params'][0], None)
                group['params'][0] = nn.Parameter(tensor.requires_grad_(True))
                if state is not None:
                    state['exp_avg'] = torch.zeros_like(tensor)
                    state['exp_avg_sq'] = torch.zeros_like(tensor)
                    self.opt.state[group['params'][0]] = state
                return group['params'][0]

    def prune(self, keep):
        self.xyz = self.replace(self.xyz[keep].detach(), 'xyz')


s = Splats(6)
for i in range(4):
    loss = s.xyz.square().sum()
    loss.backward()
    s.opt.step()
    s.opt.zero_grad(set_to_none=True)
    if i == 1:
        s.prune(torch.tensor([0, 2, 4]))
        w = s.xyz.detach().clone()
assert not torch.equal(w, s.xyz)
print('OK')
