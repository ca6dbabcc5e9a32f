import torch
import torch.nn as nn


def linear_probe(encoder, classes):
    encoder.requires_grad_(False)
    return nn.Sequential(encoder, nn.Linear(8, classes))


torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(5, 8), nn.ReLU())
start = encoder[0].weight.detach().clone()
model = linear_probe(encoder, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randn(6, 5)), torch.randint(3, (6,))).backward()
    optimizer.step()
print("OK" if torch.equal(start, encoder[0].weight.detach()) else "HAZARD-OBSERVED")
