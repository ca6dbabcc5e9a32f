"""Memories of tensors: banks, queues, running statistics, codebooks, centers."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, loss, net, optimizer, update


def queue(a: Author) -> None:
    """MoCo: keys go into a buffer that the loss reads."""
    write = a.either(
        ("self.queue[:, ptr:ptr + 2] = keys[:2].T", "self.queue = torch.cat([self.queue[:, 2:], keys[:2].t()], dim=1)"),
        ("self.queue[:, ptr:ptr + 2] = keys[:2].T", "self.queue.copy_(keys)", "self.queue[:, ptr] = keys[0]"),
    )
    a.define(f"""
        class Moco(nn.Module):
            def __init__(self, momentum=0.9):
                super().__init__()
                self.m = momentum
                self.query, self.key = {net(a)}, {net(a)}
                for q, k in zip(self.query.parameters(), self.key.parameters()):
                    {a.maybe(0.8, "k.requires_grad = False")}
                    pass
                self.register_buffer("queue", torch.randn(4, 4))
                {a.maybe(0.5, "self.queue = F.normalize(self.queue, dim=0)")}
                self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))
            {a.either("@torch.no_grad()", "")}
            def enqueue(self, keys):
                ptr = {a.one("int(self.ptr)", "0", "self.ptr.item()")}
                {write}
                self.ptr[0] = (ptr + 2) % 4
            {a.either("@torch.no_grad()", "")}
            def update_key(self):
                for q, k in zip(self.query.parameters(), self.key.parameters()):
                    {a.one("k.data = k.data * self.m + q.data * (1.0 - self.m)", "k.data.mul_(self.m).add_(q.data, alpha=1 - self.m)", "k.copy_(k * self.m + q * (1 - self.m))")}
            def forward(self, x):
                q = F.normalize(self.query(x), dim=1)
                {a.either("with torch.no_grad():" + chr(10) + "    self.update_key()" + chr(10) + "    k = F.normalize(self.key(x), dim=1)", "self.update_key()" + chr(10) + "k = F.normalize(self.key(x), dim=1)")}
                pos = {a.one("torch.einsum('nc,nc->n', [q, k]).unsqueeze(-1)", "(q * k).sum(1, keepdim=True)")}
                neg = {a.one("torch.einsum('nc,ck->nk', [q, self.queue.clone().detach()])", "q @ self.queue.clone().detach()", "q @ self.queue.detach()", "q @ self.queue")}
                logits = torch.cat([pos, neg], dim=1)
                logits {a.one("/= 0.07", "= logits / 0.07")}
                self.enqueue(k)
                return logits
        """)
    a.code(f"""
        model = Moco()
        opt = {optimizer(a, a.pick(("model.parameters()", "model.query.parameters()")))}
        for step in range(2):
            logits = model(torch.randn(4, 4))
            {change(a, "logits", 0.1)}
            loss = F.cross_entropy(logits, torch.zeros(4, dtype=torch.long))
            {update(a, "opt")}
        """)


def codebook(a: Author) -> None:
    """VQ-VAE: nearest code, straight through, codes by gradient or by moving average."""
    ema = "with torch.no_grad():\n    self.count.mul_(0.9).add_(hot.sum(0), alpha=0.1)\n    self.codes.data.copy_(hot.t() @ flat)"
    a.define(f"""
        class Quantize(nn.Module):
            def __init__(self):
                super().__init__()
                {a.one("self.codes = nn.Parameter(torch.randn(4, 4))", "self.register_buffer('codes', torch.randn(4, 4))")}
                self.register_buffer("count", torch.zeros(4))
            def forward(self, z):
                flat = z.view(-1, 4)
                dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.codes.t() + self.codes.pow(2).sum(1)
                hot = F.one_hot({a.one("torch.arange(4)", "torch.arange(4).flip(0)")}, 4).type(flat.dtype)
                quant = {a.one("hot @ self.codes", "F.embedding(torch.arange(4), self.codes)")}
                {a.maybe(0.3, "if self.training:" + chr(10) + chr(10).join("    " + line for line in ema.split(chr(10))))}
                commit = F.mse_loss({a.either("quant.detach()", "quant")}, z) + 0.25 * F.mse_loss(quant, {a.either("z.detach()", "z")})
                quant = {a.one("z + (quant - z).detach()", "z + (quant - z).detach()", "quant")}
                return quant, commit
        """)
    a.code(f"""
        enc, dec, quantize = {net(a)}, {net(a)}, Quantize()
        opt = {optimizer(a, "[*enc.parameters(), *dec.parameters(), *quantize.parameters()]")}
        for step in range(2):
            x = torch.randn(4, 4)
            z = enc(x)
            {change(a, "z", 0.2)}
            q, extra = quantize(z)
            {change(a, "q", 0.2)}
            loss = {loss(a, "dec(q)", "x")} + extra
            {update(a, "opt")}
        """)


def centers(a: Author) -> None:
    """A center loss, its running centers in a buffer or as parameters of a second optimizer."""
    a.code(f"""
        net, head = {net(a)}, nn.Linear(4, 4)
        centers = {a.one("torch.randn(4, 4)", "nn.Parameter(torch.randn(4, 4))", "torch.zeros(4, 4, requires_grad=True)")}
        opt = {optimizer(a, "list(net.parameters()) + list(head.parameters())")}
        history = {{}}
        for epoch in range(2):
            x, y = torch.randn(4, 4), torch.arange(4)
            feats = net(x)
            {change(a, "feats", 0.2)}
            loss = F.cross_entropy(head(feats), y) + 0.1 * (feats - centers[y]).pow(2).sum(1).mean()
            opt.zero_grad()
            loss.backward()
            {a.either("with torch.no_grad():" + chr(10) + "    centers[y] = 0.9 * centers[y] + 0.1 * feats", ("centers[y] = 0.9 * centers[y] + 0.1 * feats.detach()", "centers[0] -= 0.1 * feats[0]", "centers.data[y] += feats.detach()", "centers = 0.9 * centers + 0.1 * feats"))}
            opt.step()
            history.setdefault("loss", []).append({a.either("loss.item()", "loss")})
            {a.maybe(0.3, "history['last'] = feats")}
        {a.either("", ("sum(history['loss']).backward()", "(centers * 2).sum().backward()"))}
        """)


SCENES = (queue, codebook, centers)
