import torch
import torch.nn as nn

torch.manual_seed(0)
actor, critic = nn.Linear(3, 1), nn.Linear(4, 1)
actor_opt = torch.optim.SGD(actor.parameters(), lr=0.1)
critic_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
right = []
for it in range(9):
    obs, act, ret = torch.randn(8, 3), torch.randn(8, 1), torch.randn(8, 1)
    critic_opt.zero_grad()
    (critic(torch.cat([obs, act], 1)) - ret).pow(2).mean().backward()
    critic_opt.step()
    if it % 3 == 0:
        actor_loss = -critic(torch.cat([obs, actor(obs)], 1)).mean()
        wanted = torch.autograd.grad(actor_loss, actor.weight, retain_graph=True)[0]
        actor_opt.zero_grad()
        actor_loss.backward()
        right.append(torch.allclose(wanted, actor.weight.grad))
        actor_opt.step()
print("OK" if all(right) else "HAZARD-OBSERVED")
