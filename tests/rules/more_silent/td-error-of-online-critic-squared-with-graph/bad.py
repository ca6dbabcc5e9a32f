import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(critic.parameters(), lr=0.05)
same = []
for _ in range(3):
    transition = {"state": torch.randn(5, 3), "next": torch.randn(5, 3), "reward": torch.randn(5, 1)}
    delta = transition["reward"] + 0.95 * critic(transition["next"]) - critic(transition["state"])
    loss = delta.pow(2).mean()
    semi = (transition["reward"] + 0.95 * critic(transition["next"]).detach() - critic(transition["state"])).pow(2).mean()
    honest = torch.autograd.grad(semi, critic[0].weight)[0]
    opt.zero_grad()
    loss.backward()
    same.append(torch.allclose(honest, critic[0].weight.grad, atol=1e-6))
    opt.step()
print("OK" if all(same) else "HAZARD-OBSERVED")
