import torch
from torch import nn


class SuperResolution:
    def __init__(self):
        self.generator, self.discriminator = nn.Linear(2, 4), nn.Linear(4, 1)
        self.optimizer = torch.optim.Adam(self.generator.parameters(), lr=0.01)

    def adversarial(self, image):
        score = self.discriminator(image)
        return nn.functional.softplus(-score).mean()

    def step(self, low, high, weight):
        image = self.generator(low)
        loss = (image - high).abs().mean() + weight * self.adversarial(image)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def train(weight):
    torch.manual_seed(0)
    model = SuperResolution()
    for _ in range(3):
        model.step(torch.randn(4, 2), torch.randn(4, 4), weight)
    return model.generator.weight.detach()


print("HAZARD-OBSERVED" if torch.equal(train(0.0), train(5.0)) else "OK")
