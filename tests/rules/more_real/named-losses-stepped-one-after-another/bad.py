import torch
import torch.nn as nn
import torch.nn.functional as F


class Disentangle(nn.Module):
    def __init__(self):
        super().__init__()
        self.content = nn.Sequential(nn.Linear(12, 16), nn.ELU(), nn.Linear(16, 8))
        self.style = nn.Sequential(nn.Linear(12, 16), nn.ELU(), nn.Linear(16, 4))
        self.decoder = nn.Sequential(nn.Linear(12, 24), nn.ELU(), nn.Linear(24, 12))

    def forward(self, x):
        return self.content(x), self.style(x)

    def decode(self, content, style):
        return self.decoder(torch.cat([content, style], dim=1))


class Solver:
    def __init__(self, model):
        self.model = model
        self.optims = {name: torch.optim.Adam(part.parameters(), lr=1e-3) for name, part in model.named_children()}

    def losses(self, x):
        content, style = self.model(x)
        rebuilt = self.model.decode(content, style)
        swapped = self.model.decode(content, style.roll(1, 0))
        return {
            "decoder": F.mse_loss(rebuilt, x),
            "content": F.mse_loss(self.model.content(swapped), content.detach()),
            "style": F.mse_loss(self.model.style(swapped), style.roll(1, 0).detach()),
        }

    def step(self, x):
        losses = self.losses(x)
        for optim in self.optims.values():
            optim.zero_grad()
        for name, loss in losses.items():
            loss.backward(retain_graph=True)
            self.optims[name].step()
        return {name: loss.item() for name, loss in losses.items()}


torch.manual_seed(0)
solver = Solver(Disentangle())
for _ in range(2):
    print(solver.step(torch.randn(6, 12)))
