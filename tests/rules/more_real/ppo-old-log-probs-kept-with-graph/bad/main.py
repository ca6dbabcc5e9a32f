import torch

from memory import Memory
from ppo import PPO

torch.manual_seed(0)
agent, memory = PPO(4, 2), Memory()
for episode in range(2):
    state = torch.randn(4)
    for _ in range(5):
        action, logprob = agent.policy.act(state)
        memory.push(state, action, logprob, float(torch.rand(1)))
        state = torch.randn(4)
    agent.update(memory)
    memory.clear()
