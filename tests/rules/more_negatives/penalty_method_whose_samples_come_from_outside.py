import torch
from torch import autograd, nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def forward(self, x, mask):
        x = self.net(x)
        if mask is not None:
            x = x * mask
        return x.squeeze(-1)


class Adversary(nn.Module):
    """Its penalty is a method that a caller gives attached samples."""

    def __init__(self, generator):
        super().__init__()
        self.generator, self.critic = generator, Critic()

    def penalty(self, real, fake):
        alpha = torch.rand(real.size(0), 1).expand(real.size())
        mixed = alpha * real + (1 - alpha) * fake
        scores = self.critic(mixed, None)
        slopes = autograd.grad(scores, mixed, grad_outputs=torch.ones(scores.size()), create_graph=True)[0]
        return (slopes.norm(2, dim=1) - 1) ** 2

    def forward(self, noise, real):
        return self.penalty(real, self.generator(noise)).mean()


def slope_of(network, feature):
    """The network may or may not keep the graph of the noise."""
    noise = torch.rand(3, 4, requires_grad=True)
    return autograd.grad(feature(network(noise)).sum(), noise, create_graph=True)[0]


CALLER = """
torch.manual_seed(0)
adversary = Adversary(nn.Linear(2, 4))
optimizer = torch.optim.Adam(adversary.parameters())
for _ in range(2):
    optimizer.zero_grad()
    adversary(torch.randn(5, 2), torch.randn(5, 4)).backward()
    optimizer.step()
print(slope_of(nn.Linear(4, 4), nn.Tanh()).shape)
"""

if __name__ == "__main__":
    exec(CALLER)  # out of the analyser's sight: what is above is read without it
    print("OK")
