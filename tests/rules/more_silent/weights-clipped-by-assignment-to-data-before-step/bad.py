import torch
from torch import nn

CLIP = 0.01


def clip_weights(critic):
    for w in critic.parameters():
        w.data = w.data.clamp(-CLIP, CLIP)


class Trainer:
    def __init__(self):
        self.critic = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
        self.opt = torch.optim.RMSprop(self.critic.parameters(), lr=5e-2)

    def step(self, real, fake):
        self.opt.zero_grad()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        loss.backward()
        clip_weights(self.critic)
        self.opt.step()
        return loss.item()


torch.manual_seed(0)
trainer = Trainer()
for _ in range(4):
    trainer.step(torch.randn(5, 3) + 1, torch.randn(5, 3))
largest = max(w.abs().max().item() for w in trainer.critic.parameters())
print("HAZARD-OBSERVED" if largest > 0.011 else "OK")
