import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid(), nn.Linear(4, 4, bias=False))
opt = torch.optim.LBFGS(net.parameters(), max_iter=2)
x = torch.randn(4, 4)
evaluations = []


def closure():
    loss = net(x).mean()
    loss.backward(retain_graph=True)
    evaluations.append(loss)
    return loss


opt.step(closure)
evaluations[1].backward()
