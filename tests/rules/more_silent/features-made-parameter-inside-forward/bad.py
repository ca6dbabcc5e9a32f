import torch
from torch import nn


class Prompted(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.head = nn.Linear(4, 6), nn.Linear(6, 2)

    def forward(self, x):
        context = nn.Parameter(self.encoder(x))
        return self.head(context.tanh())


torch.manual_seed(0)
model = Prompted()
before = model.encoder.weight.detach().clone()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(2):
    loss = nn.functional.cross_entropy(model(torch.randn(5, 4)), torch.randint(2, (5,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(before, model.encoder.weight) else "OK")
