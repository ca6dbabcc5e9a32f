import torch
from torch import nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi, self.v = nn.Linear(3, 2), nn.Linear(3, 1)

    def act(self, s):
        dist = Categorical(logits=self.pi(s))
        a = dist.sample()
        return a, dist.log_prob(a), self.v(s).squeeze(-1)

    def evaluate(self, s, a):
        dist = Categorical(logits=self.pi(s))
        return dist.log_prob(a), self.v(s).squeeze(-1), dist.entropy()


torch.manual_seed(0)
agent = Agent()
old = Agent()
old.load_state_dict(agent.state_dict())
opt = torch.optim.Adam(agent.parameters(), lr=3e-4)
for update in range(2):
    memory = {"s": [], "a": [], "lp": [], "v": [], "r": []}
    for _ in range(6):
        s = torch.randn(3)
        with torch.no_grad():
            a, lp, v = old.act(s)
        for k, t in zip("s a lp v r".split(), (s, a, lp, v, torch.randn(()))):
            memory[k].append(t)
    batch = {k: torch.stack(v).detach() for k, v in memory.items()}
    adv = batch["r"] - batch["v"]
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for _ in range(4):
        lp, v, ent = agent.evaluate(batch["s"], batch["a"])
        ratio = (lp - batch["lp"]).exp()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv) + 0.5 * (v - batch["r"]) ** 2 - 0.01 * ent
        opt.zero_grad()
        loss.mean().backward()
        opt.step()
    old.load_state_dict(agent.state_dict())
print("OK")
