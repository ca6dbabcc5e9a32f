import torch
import torch.nn as nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs, actions):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs, 16), nn.Tanh(), nn.Linear(16, actions), nn.Softmax(dim=-1))
        self.critic = nn.Sequential(nn.Linear(obs, 16), nn.Tanh(), nn.Linear(16, 1))

    def act(self, state):
        dist = Categorical(self.actor(state))
        action = dist.sample()
        return action, dist.log_prob(action).detach()

    def evaluate(self, states, actions):
        dist = Categorical(self.actor(states))
        return dist.log_prob(actions), self.critic(states).squeeze(-1), dist.entropy()


class PPO:
    def __init__(self, obs, actions, epochs=4, clip=0.2):
        self.policy = ActorCritic(obs, actions)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=1e-3)
        self.epochs, self.clip = epochs, clip

    def update(self, memory, gamma=0.99):
        returns, running = [], 0.0
        for reward in reversed(memory.rewards):
            running = reward + gamma * running
            returns.insert(0, running)
        returns = torch.tensor(returns)
        states, actions = torch.stack(memory.states), torch.stack(memory.actions)
        old_logprobs = torch.stack(memory.logprobs)
        for _ in range(self.epochs):
            logprobs, values, entropy = self.policy.evaluate(states, actions)
            ratios = torch.exp(logprobs - old_logprobs)
            advantages = returns - values.detach()
            surr = torch.min(ratios * advantages, ratios.clamp(1 - self.clip, 1 + self.clip) * advantages)
            loss = -surr + 0.5 * (values - returns).pow(2) - 0.01 * entropy
            self.optimizer.zero_grad()
            loss.mean().backward()
            self.optimizer.step()
