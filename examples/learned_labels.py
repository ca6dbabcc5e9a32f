"""A network is trained towards labels that it has made itself, before training, in a helper without ``detach``.

Each label in the data set hangs on the graph in which all of them were computed. The first batch trains through it
and frees it. Torch says: in the second batch, at ``loss.backward()``, that the graph is walked a second time. It does
not say which part of the graph, nor that it comes out of the data loader.
Found: AGH401 at the line that makes the labels.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader


def build_network(inputs=8, hidden=32, classes=3):
    """A small network whose hidden layer is used twice."""
    shared = nn.Linear(hidden, hidden)
    return nn.Sequential(
        nn.Linear(inputs, hidden),
        nn.Tanh(),
        shared,
        nn.Tanh(),
        shared,
        nn.Tanh(),
        nn.Linear(hidden, classes),
    )


def sharpened(network, samples, temperature=0.5):
    """What the network thinks of the samples, with more confidence."""
    logits = network(samples)
    return torch.softmax(logits / temperature, dim=1)


def soft_cross_entropy(logits, labels):
    return -(labels * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()


def train(network, loader, epochs=3):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05)
    for epoch in range(epochs):
        total = 0.0
        for samples, labels in loader:
            loss = soft_cross_entropy(network(samples), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(loader):.4f}")


def main():
    torch.manual_seed(0)
    network = build_network()
    X = torch.randn(96, 8)
    y = sharpened(network, X)
    loader = DataLoader(list(zip(X, y)), batch_size=16, shuffle=True)
    train(network, loader)


if __name__ == "__main__":
    main()
