"""Every optimizer that takes a plain step."""

import torch

weights = [torch.nn.Parameter(torch.randn(3, 3)) for _ in range(2)]
names = ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "ASGD", "Rprop"]


def train(optimizer):
    for _ in range(2):
        loss = sum((w**2).sum() for w in weights)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


sgd = torch.optim.SGD(weights, lr=0.1, momentum=0.9, weight_decay=0.1)
(weights[0].sum() + weights[1].sum()).backward()
sgd.step()
adam = torch.optim.Adam(weights, weight_decay=0.1, amsgrad=True)
adam.step()
adamw = torch.optim.AdamW(weights)
adamw.step()
rmsprop = torch.optim.RMSprop(weights, momentum=0.9, centered=True, weight_decay=0.1)
rmsprop.step()
adagrad = torch.optim.Adagrad(weights, weight_decay=0.1)
adagrad.step()
adadelta = torch.optim.Adadelta(weights, weight_decay=0.1)
adadelta.step()
adamax = torch.optim.Adamax(weights, weight_decay=0.1)
adamax.step()
nadam = torch.optim.NAdam(weights)
nadam.step()
radam = torch.optim.RAdam(weights, weight_decay=0.1)
radam.step()
asgd = torch.optim.ASGD(weights)
asgd.step()
rprop = torch.optim.Rprop(weights)
rprop.step()
for name in names:
    train(getattr(torch.optim, name)(weights))
