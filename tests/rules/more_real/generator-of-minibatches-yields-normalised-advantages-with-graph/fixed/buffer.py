import torch


class RolloutBuffer:
    def __init__(self, gamma=0.99, lam=0.95):
        self.gamma, self.lam = gamma, lam
        self.reset()

    def reset(self):
        self.obs, self.actions, self.rewards, self.values, self.logps = [], [], [], [], []

    def add(self, obs, action, reward, value, logp):
        self.obs.append(obs)
        self.actions.append(action)
        self.rewards.append(reward)
        self.values.append(value.detach())
        self.logps.append(logp)

    def finish(self):
        advantages, last = [], torch.zeros(())
        values = [*self.values, torch.zeros(())]
        for t in reversed(range(len(self.rewards))):
            delta = self.rewards[t] + self.gamma * values[t + 1] - values[t]
            last = delta + self.gamma * self.lam * last
            advantages.append(last)
        self.advantages = torch.stack(advantages[::-1])
        self.advantages = (self.advantages - self.advantages.mean()) / (self.advantages.std() + 1e-8)
        self.returns = self.advantages.detach() + torch.stack(self.values).detach()

    def get(self, size):
        order = torch.randperm(len(self.rewards))
        obs, actions, logps = torch.stack(self.obs), torch.stack(self.actions), torch.stack(self.logps)
        for start in range(0, len(order), size):
            idx = order[start:start + size]
            yield obs[idx], actions[idx], logps[idx], self.advantages[idx], self.returns[idx]
