import torch


class Trainer:
    def __init__(self, net, criterion, optim):
        self.net, self.criterion = net, criterion
        optim = dict(optim)
        self.optimizer = getattr(torch.optim, optim.pop("name"))(net.parameters(), **optim)

    def run_epoch(self, loader):
        total = 0.0
        for x, y in loader:
            loss = self.criterion(self.net(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.mean().item()
        return total / len(loader)
