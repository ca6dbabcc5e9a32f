import torch
from torch import nn


class Agent:
    def __init__(self):
        mk = lambda i, o: nn.Sequential(nn.Linear(i, 12), nn.Tanh(), nn.Linear(12, o))
        self.nets = {"actor": mk(3, 1), "critic": mk(4, 1)}
        self.opts = {n: torch.optim.SGD(m.parameters(), lr=0.1) for n, m in self.nets.items()}

    def actor_loss(self, s):
        return -self.nets["critic"](torch.cat([s, self.nets["actor"](s)], 1)).mean()

    def critic_loss(self, s, a, y):
        return (self.nets["critic"](torch.cat([s, a], 1)) - y).pow(2).mean()

    def apply(self, name, loss):
        loss.backward()
        self.opts[name].step()
        self.opts[name].zero_grad()

    def update(self, s, a, y):
        self.apply("actor", self.actor_loss(s))
        ref = torch.autograd.grad(self.critic_loss(s, a, y), self.nets["critic"][0].weight)[0]
        old = self.nets["critic"][0].weight.detach().clone()
        self.apply("critic", self.critic_loss(s, a, y))
        return torch.allclose(old - 0.1 * ref, self.nets["critic"][0].weight, atol=1e-6)


torch.manual_seed(0)
agent = Agent()
ok = [agent.update(torch.randn(8, 3), torch.rand(8, 1), torch.randn(8, 1)) for _ in range(2)]
print("OK" if all(ok) else "HAZARD-OBSERVED")
