import torch
from torch.distributions import Normal


class GaussianBandit(torch.nn.Module):
    def __init__(self, arms):
        super().__init__()
        self.mu = torch.nn.Parameter(torch.zeros(arms))
        self.log_sigma = torch.nn.Parameter(torch.zeros(arms))

    def act(self):
        self.dist = Normal(self.mu, self.log_sigma.exp())
        with torch.no_grad():
            return self.dist.sample()

    def log_prob(self, action):
        return self.dist.log_prob(action).sum()


torch.manual_seed(0)
bandit = GaussianBandit(3)
optimizer = torch.optim.SGD(bandit.parameters(), lr=0.05)
baseline = 0.0
for episode in range(4):
    action = bandit.act()
    reward = -(action - torch.tensor([0.5, -0.5, 1.0])).pow(2).sum().item()
    loss = -(reward - baseline) * bandit.log_prob(action)
    baseline = 0.9 * baseline + 0.1 * reward
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
