import torch
import torch.nn as nn


class Layer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(dim, dim * 2), nn.ReLU(), nn.Linear(dim * 2, dim))
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x, mem):
        context = torch.cat([mem, x], 1) if mem is not None else x
        x = self.n1(x + self.attn(x, context, context, need_weights=False)[0])
        return self.n2(x + self.ff(x))


class MemTransformer(nn.Module):
    def __init__(self, vocab=20, dim=8, depth=2, mem_len=6):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList(Layer(dim) for _ in range(depth))
        self.out = nn.Linear(dim, vocab)
        self.mem_len = mem_len

    def update_mems(self, hids, mems):
        if mems is None:
            return [h[:, -self.mem_len:].detach() for h in hids]
        return [torch.cat([m, h], 1)[:, -self.mem_len:].detach() for m, h in zip(mems, hids)]

    def forward(self, ids, mems=None):
        h = self.emb(ids)
        hids = []
        for i, layer in enumerate(self.layers):
            hids.append(h)
            h = layer(h, None if mems is None else mems[i])
        return self.out(h), self.update_mems(hids, mems)


torch.manual_seed(0)
model = MemTransformer()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
mems = None
text = torch.randint(20, (2, 25))
for start in range(0, 24, 8):
    logits, mems = model(text[:, start:start + 8], mems)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), text[:, start + 1:start + 9].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
