import torch
import torch.nn as nn
import torch.nn.functional as F


class WorldModel(nn.Module):
    def __init__(self, obs=6, act=2, state=8):
        super().__init__()
        self.encoder = nn.Linear(obs, state)
        self.cell = nn.GRUCell(state + act, state)
        self.decoder = nn.Linear(state, obs)
        self.reward = nn.Linear(state, 1)
        self.state_size = state

    def observe(self, obs, act):
        h = torch.zeros(obs.size(1), self.state_size)
        states = []
        for o, a in zip(obs, act):
            h = self.cell(torch.cat([torch.tanh(self.encoder(o)), a], -1), h)
            states.append(h)
        return torch.stack(states)

    def imagine(self, h, actor, horizon):
        total = 0
        for _ in range(horizon):
            a = actor(h)
            h = self.cell(torch.cat([torch.tanh(h), a], -1), h)
            total = total + self.reward(h)
        return total.mean()


torch.manual_seed(0)
world = WorldModel()
actor = nn.Sequential(nn.Linear(8, 16), nn.ELU(), nn.Linear(16, 2), nn.Tanh())
optims = {"world": torch.optim.Adam(world.parameters(), lr=1e-3), "actor": torch.optim.Adam(actor.parameters(), lr=1e-3)}
clean = []
for _ in range(3):
    obs, act, rew = torch.randn(4, 3, 6), torch.rand(4, 3, 2), torch.randn(4, 3, 1)
    post = world.observe(obs, act)
    world_loss = F.mse_loss(world.decoder(post), obs) + F.mse_loss(world.reward(post), rew)
    own = torch.autograd.grad(world_loss, world.encoder.weight, retain_graph=True)[0]
    start = post.flatten(0, 1).detach()
    actor_loss = -world.imagine(start, actor, 3)
    for o in optims.values():
        o.zero_grad()
    world_loss.backward(retain_graph=True)
    actor_loss.backward(inputs=list(actor.parameters()))
    clean.append(torch.allclose(own, world.encoder.weight.grad, atol=1e-7))
    optims["world"].step()
    optims["actor"].step()
print("OK" if all(clean) else "HAZARD-OBSERVED")
