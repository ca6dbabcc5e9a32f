import logging

import torch
import torch.nn as nn

from model import VideoNet

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger(__name__)


def clips(n):
    for _ in range(n):
        yield torch.rand(3, 2, 3, 8, 8), torch.randint(4, (3, 2))


def train(loader, net, criterion, optimizer, epoch):
    net.train()
    running = 0.0
    for i, (frames, labels) in enumerate(loader):
        net.detach_hidden()
        optimizer.zero_grad()
        loss = 0
        for frame, label in zip(frames, labels):
            loss = loss + criterion(net(frame), label)
        loss.backward() 
        optimizer.step()
        running += loss.item()
    log.info("epoch %d: %.3f", epoch, running)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = VideoNet(classes=4)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for epoch in range(2):
        train(clips(3), net, nn.CrossEntropyLoss(), optimizer, epoch)
