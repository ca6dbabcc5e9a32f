import argparse
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

LOSSES = {"l1": F.l1_loss, "huber": partial(F.huber_loss, delta=0.5), "mse": F.mse_loss}


def parse(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--loss", choices=sorted(LOSSES), default="huber")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--log-every", dest="every", type=int, default=1)
    return parser.parse_args(argv)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.density = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 1, 1), nn.Softplus())

    def forward(self, image):
        return self.density(image).sum(dim=(1, 2, 3))


def main(args):
    torch.manual_seed(0)
    model, criterion = Counter(), LOSSES[args.loss]
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        batch = {"image": torch.rand(3, 1, 6, 6), "count": torch.randint(0, 9, (3,))}
        count = model(batch["image"])
        loss = criterion(count.float(), batch["count"].float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % args.every == 0:
            print(f"{epoch=} {loss.item()=:.3f}")


if __name__ == "__main__":
    main(parse([]))
