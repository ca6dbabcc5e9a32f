import torch
from torch import nn

from meters import MeterBook


def fit(net, batches, epochs=2):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    book = MeterBook("loss", "norm")
    for epoch in range(epochs):
        book.reset()
        for x, y in batches:
            loss = nn.functional.mse_loss(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            book.update("loss", loss.item(), len(x))
            book.update("norm", x.norm().item(), 1)
    return book


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
book = fit(net, [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(4)])
average = book.average("loss")
print("HAZARD-OBSERVED" if torch.is_tensor(average) and average.requires_grad else "OK")
