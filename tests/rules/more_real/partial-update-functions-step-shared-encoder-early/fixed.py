from functools import partial

import torch
import torch.nn as nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 16))
heads = nn.ModuleDict({"depth": nn.Linear(16, 1), "normal": nn.Linear(16, 3)})
optimizers = {
    task: torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=1e-3) for task, head in heads.items()
}


def task_loss(task, features, target):
    return nn.functional.l1_loss(heads[task](features), target)


def update(loss, optimizer, keep=False):
    optimizer.zero_grad()
    loss.backward(retain_graph=keep)


def backward(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for _ in range(2):
    x = torch.randn(8, 10)
    targets = {"depth": torch.randn(8, 1), "normal": torch.randn(8, 3)}
    for task, target in targets.items():
        features = encoder(x)
        loss = task_loss(task, features, target)
        backward(loss, optimizers[task])
