"""Right programs that were accused once: lists whose items are replaced, expanded memory that is copied, told epochs."""

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.m = nn.ModuleList(nn.Conv1d(w, 2, 1) for w in widths)

    def forward(self, x):
        out = []
        for i in range(len(self.m)):
            x[i] = self.m[i](x[i])
            x[i] = x[i].view(x[i].shape[0], 2, -1).permute(0, 2, 1).contiguous()
            out.append(x[i].sigmoid())
        return out, x


class ConstantMean(nn.Module):
    def __init__(self, batch_shape=torch.Size()):
        super().__init__()
        self.batch_shape = batch_shape
        self.register_parameter(name="constant", param=nn.Parameter(torch.zeros(*batch_shape, 1)))

    def forward(self, x):
        shape = torch.broadcast_shapes(self.batch_shape, x.shape[:-2])
        mean = self.constant.unsqueeze(-1).expand(*shape, x.size(-2), x.size(-1) + 1).contiguous()
        mean[..., 1:] = 0
        return mean


def unrolled(cell, readout, xs):
    h = torch.zeros(xs.size(1), 3)
    outputs = []
    for x in xs:
        h = cell(x, h)
        outputs.append(readout(h))
    return outputs


torch.manual_seed(0)
head, mean, cell, readout = Head([3, 4]), ConstantMean(), nn.RNNCell(2, 3), nn.Linear(3, 1)
parameters = [*head.parameters(), *mean.parameters(), *cell.parameters(), *readout.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.1)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1.0)
for epoch in range(3):
    out, maps = head([torch.randn(2, 3, 5), torch.randn(2, 4, 5)])
    states = unrolled(cell, readout, torch.randn(4, 2, 2))
    loss = sum(o.mean() for o in out) + mean(torch.randn(2, 4, 3)).pow(2).mean() + states[-1].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
assert all(p.grad is not None for p in parameters)
print("OK")
