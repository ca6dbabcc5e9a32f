import torch
from torch import nn


def ista(dictionary, x, steps=5, lam=0.1):
    z = torch.zeros(dictionary.in_features)
    lipschitz = torch.linalg.matrix_norm(dictionary.weight, ord=2).square().detach()
    for _ in range(steps):
        residual = dictionary(z) - x
        z = nn.functional.softshrink(z - (residual @ dictionary.weight) / lipschitz, lam / 10)
    return z


class SparseCoder:
    def __init__(self, atoms, dim):
        self.dictionary = nn.Linear(atoms, dim, bias=False)
        self.opt = torch.optim.SGD(self.dictionary.parameters(), lr=0.1)

    def sample_loss(self, x):
        z = ista(self.dictionary, x)
        return 0.5 * (self.dictionary(z) - x).square().sum() + 0.1 * z.abs().sum()

    def batch_loss(self, batch):
        values = []
        for x in batch:
            loss = self.sample_loss(x)
            values.append(loss)
        return torch.stack(values).mean()

    def fit(self, data, epochs):
        for _ in range(epochs):
            self.opt.zero_grad()
            loss = self.batch_loss(data)
            loss.backward()
            self.opt.step()


torch.manual_seed(0)
SparseCoder(8, 5).fit(torch.randn(4, 5), epochs=2)
