import torch
import torch.nn as nn


class MeshDecoder(nn.Module):
    def __init__(self, vertices=6, latent=4):
        super().__init__()
        self.register_buffer("template", torch.randn(1, vertices, 3))
        self.offsets = nn.Linear(latent, vertices * 3)

    def forward(self, z):
        mesh = self.template.expand(len(z), -1, -1)
        mesh += self.offsets(z).view(len(z), -1, 3)
        return mesh


torch.manual_seed(0)
decoder = MeshDecoder()
optimizer = torch.optim.Adam(decoder.parameters(), lr=1e-3)
target = torch.randn(5, 6, 3)
loss = nn.functional.mse_loss(decoder(torch.randn(5, 4)), target)
optimizer.zero_grad()
loss.backward()
optimizer.step()
