import torch
from torch import nn
class Env:
    def __init__(self):
        self.state = torch.zeros(1, 3)
    def step(self, action):
        self.state = self.state + 0.1 * action
        reward = -self.state.pow(2).sum()
        return self.state, reward
torch.manual_seed(0)
env = Env(); policy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
state = env.state
for t in range(4):
    action = policy(state)
    state, reward = env.step(action)
    loss = -reward
    opt.zero_grad(); loss.backward(); opt.step()
print("OK")
