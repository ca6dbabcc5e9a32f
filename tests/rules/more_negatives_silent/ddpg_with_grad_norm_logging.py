import torch
from torch import nn

torch.manual_seed(0)
actor, critic = nn.Sequential(nn.Linear(3, 1), nn.Tanh()), nn.Linear(4, 1)
target_critic = nn.Linear(4, 1).requires_grad_(False)
target_critic.load_state_dict(critic.state_dict())
optimizers = {"actor": torch.optim.Adam(actor.parameters()), "critic": torch.optim.Adam(critic.parameters())}


def grad_norm(module):
    return sum(p.grad.norm().item() ** 2 for p in module.parameters() if p.grad is not None) ** 0.5


logs = []
for _ in range(3):
    s, a, r, s2 = torch.randn(6, 3), torch.randn(6, 1), torch.randn(6, 1), torch.randn(6, 3)
    target = r + 0.99 * target_critic(torch.cat([s2, actor(s2)], 1)).detach()
    critic_loss = nn.functional.smooth_l1_loss(critic(torch.cat([s, a], 1)), target)
    optimizers["critic"].zero_grad()
    critic_loss.backward()
    critic_norm = grad_norm(critic)
    optimizers["critic"].step()
    actor_loss = -critic(torch.cat([s, actor(s)], 1)).mean()
    optimizers["actor"].zero_grad()
    actor_loss.backward()
    actor_norm = grad_norm(actor)
    optimizers["actor"].step()
    logs.append((critic_norm, actor_norm))
    target_critic.weight.data.lerp_(critic.weight.data, 0.01)
assert all(c > 0 and a > 0 for c, a in logs)
print("OK")
