import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class LoRALinear(nn.Module):
    def __init__(self, dim, rank=2):
        super().__init__()
        self.base = nn.Linear(dim, dim).requires_grad_(False)
        self.down, self.up = nn.Linear(dim, rank, bias=False), nn.Linear(rank, dim, bias=False)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x))


class Model(nn.Module):
    def __init__(self, vocab=20, dim=8, depth=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim).requires_grad_(False)
        self.blocks = nn.ModuleList(LoRALinear(dim) for _ in range(depth))
        self.head = nn.Linear(dim, vocab)
        self.gradient_checkpointing = True

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            if self.gradient_checkpointing and self.training:
                x = checkpoint(block, x, use_reentrant=True)
            else:
                x = block(x)
        return self.head(x)


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
ids = torch.randint(20, (2, 6))
loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
loss.backward()
optimizer.step()
print("HAZARD-OBSERVED" if model.blocks[0].down.weight.grad is None else "OK")
