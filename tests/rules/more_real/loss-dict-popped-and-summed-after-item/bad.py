from collections import OrderedDict

import torch
import torch.nn as nn


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 8), nn.ReLU())
        self.heads = nn.ModuleDict({'cls': nn.Linear(8, 3), 'box': nn.Linear(8, 4)})

    def forward(self, x, targets):
        h = self.body(x)
        return {'loss_cls': nn.functional.cross_entropy(self.heads['cls'](h), targets['labels']),
                'loss_box': [nn.functional.smooth_l1_loss(self.heads['box'](h), targets['boxes'])]}


def parse_losses(losses):
    log_vars = OrderedDict()
    for name, value in losses.items():
        if isinstance(value, torch.Tensor):
            log_vars[name] = value.mean()
        elif isinstance(value, list):
            log_vars[name] = sum(v.mean() for v in value)
    for name, value in log_vars.items():
        log_vars[name] = value.item()
    loss = sum(value for key, value in log_vars.items() if 'loss' in key)
    return loss, log_vars


torch.manual_seed(0)
det = Detector()
opt = torch.optim.SGD(det.parameters(), lr=0.01)
for _ in range(2):
    losses = det(torch.randn(4, 5), {'labels': torch.randint(0, 3, (4,)), 'boxes': torch.rand(4, 4)})
    loss, logs = parse_losses(losses)
    opt.zero_grad()
    loss.backward()
    opt.step()
