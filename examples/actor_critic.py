"""Actor-critic with a shared trunk, an optimizer for each of the two, and a backward for each loss.

Both losses go back through the trunk, whose graph the first backward frees. Torch says: at ``critic_loss.backward()``,
that the graph is walked a second time. With ``retain_graph=True`` in the first one, as it suggests, the actor's step is
the next to be refused: it has changed the weights that the critic's backward needs.
Found: AGH101 at ``critic_loss.backward()``.
"""

import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, observations=4, actions=2, hidden=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(observations, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, actions)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, observations):
        features = self.trunk(observations)
        return self.actor(features), self.critic(features).squeeze(-1)


class Agent:
    def __init__(self, discount=0.99):
        self.model = ActorCritic()
        self.discount = discount
        policy = [*self.model.trunk.parameters(), *self.model.actor.parameters()]
        self.actor_optimizer = torch.optim.Adam(policy, lr=1e-3)
        self.critic_optimizer = torch.optim.Adam(self.model.critic.parameters(), lr=1e-3)

    def act(self, observation):
        with torch.no_grad():
            logits, _ = self.model(observation)
        return torch.multinomial(torch.softmax(logits, dim=-1), 1).item()

    def discounted(self, rewards):
        returns, running = [], 0.0
        for reward in reversed(rewards):
            running = reward + self.discount * running
            returns.insert(0, running)
        return torch.tensor(returns)

    def update(self, observations, actions, rewards):
        """One step for actor and critic from one episode."""
        logits, values = self.model(torch.stack(observations))
        log_probs = torch.log_softmax(logits, dim=1).gather(1, torch.tensor(actions).unsqueeze(1)).squeeze(1)
        returns = self.discounted(rewards)
        advantages = returns - values.detach()

        actor_loss = -(log_probs * advantages).mean()
        critic_loss = nn.functional.smooth_l1_loss(values, returns)
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        return actor_loss.item(), critic_loss.item()


def play(agent, length=20):
    """An episode in a world of noise, where action 1 is better when the first observation is positive."""
    observations, actions, rewards = [], [], []
    for _ in range(length):
        observation = torch.randn(4)
        action = agent.act(observation)
        observations.append(observation)
        actions.append(action)
        rewards.append(1.0 if (observation[0].item() > 0) == (action == 1) else 0.0)
    return observations, actions, rewards


if __name__ == "__main__":
    torch.manual_seed(0)
    agent = Agent()
    for episode in range(5):
        actor_loss, critic_loss = agent.update(*play(agent))
        print(f"episode {episode}: actor {actor_loss:.4f}, critic {critic_loss:.4f}")
