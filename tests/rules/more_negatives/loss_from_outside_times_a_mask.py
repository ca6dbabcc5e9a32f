import torch
from torch import nn


def masked_mean(reduce, scores, tokens):
    """What ``reduce`` gives is not in sight; a mask of another dtype does not end its graph."""
    mask = tokens != 0
    loss = reduce(scores)
    return (loss * mask).sum() / mask.float().sum()


def train(reduce, net, optimizer, batches):
    for tokens in batches:
        loss = masked_mean(reduce, net(tokens), tokens)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def fit(reduce):
    net = nn.Sequential(nn.Embedding(5, 3), nn.Linear(3, 1), nn.Flatten(0))
    train(reduce, net, torch.optim.SGD(net.parameters(), lr=0.1), [torch.tensor([1, 2, 0]), torch.tensor([3, 0, 4])])


def only_outside(reduce, loader):
    for scores, _ in loader:
        tokens = torch.tensor([1, 2, 0])
        masked_mean(reduce, scores, tokens).backward()


CALLER = """
fit(torch.square)
weight = torch.randn(3, requires_grad=True)
only_outside(torch.square, [(weight * 2, None), (weight * 3, None)])
"""

if __name__ == "__main__":
    exec(CALLER)  # out of the analyser's sight: what is above is read without it
    print("OK")
