"""Small programs for the tests of the recorder: training loops whose numbers are printed to the last bit."""

from __future__ import annotations

FINGERPRINT = """
import hashlib, torch
def fingerprint(module, *more):
    digest = hashlib.sha256()
    for tensor in [*module.state_dict().values(), *(p.grad for p in module.parameters() if p.grad is not None), *more]:
        digest.update(tensor.detach().contiguous().numpy().tobytes())
    digest.update(torch.get_rng_state().numpy().tobytes())
    print(digest.hexdigest())
"""
CNN = """
import torch
from torch import nn
torch.manual_seed(3)
net = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Dropout(0.2),
    nn.Conv2d(8, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5),
)
optimizer = torch.optim.{optimizer}
for step in range({steps}):
    images, labels = torch.randn(4, 3, 12, 12), torch.randint(5, (4,))
    loss = nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
fingerprint(net, loss)
"""
TRANSFORMER = """
import torch
from torch import nn
torch.manual_seed(4)
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16, max_norm=2.0)
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(16, 30)
    def forward(self, tokens):
        hidden = self.embed(tokens)
        hidden = hidden + torch.cumsum(hidden, 1) * 0.1
        return self.head(self.encoder(hidden))
model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for step in range(3):
    tokens = torch.randint(30, (4, 7))
    loss = nn.functional.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)
fingerprint(model, loss)
"""
RECURRENT = """
import torch
from torch import nn
torch.manual_seed(5)
net = nn.LSTM(4, 8, 2, dropout=0.3)
head = nn.Linear(8, 1)
optimizer = torch.optim.LBFGS(head.parameters(), max_iter=3)
state = None
for step in range(3):
    out, state = net(torch.randn(5, 2, 4), state)
    state = tuple(s.detach() for s in state)
    features = out.detach()
    features += 0.1
    def closure():
        optimizer.zero_grad()
        loss = head(features).pow(2).mean()
        loss.backward()
        return loss
    optimizer.step(closure)
views = torch.randn(4, 4, requires_grad=True)
base = views * 2
row = base[1]
row.mul_(3)
base[0] = base[2] + row
first, second = base.chunk(2)
(first * second).sum().backward()
fingerprint(head, views.grad)
"""
CHECKPOINT = """
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
torch.manual_seed(6)
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Tanh(), nn.Linear(8, 4))
head = nn.Linear(4, 1)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1, fused=True)
for step in range(3):
    x = torch.randn(6, 4, requires_grad=True)
    hidden = checkpoint(net, x, use_reentrant={reentrant})
    loss = head(hidden).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
fingerprint(net, x.grad)
"""
HOOKS = """
import torch
from torch import nn
torch.manual_seed(7)
net = nn.Sequential(nn.Linear(4, 8), nn.Sigmoid(), nn.Linear(8, 1))
packed = []
def pack(t):
    packed.append(tuple(t.shape))
    return t.double()
def unpack(t):
    packed.append("unpacked")
    return t.float()
grads = []
net[0].register_full_backward_hook(lambda m, i, o: grads.append(o[0].sum()))
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    loss = net(torch.randn(3, 4)).sum()
loss.backward()
with torch.autograd.graph.save_on_cpu():
    net(torch.randn(3, 4)).sum().backward()
print(packed)
fingerprint(net, *grads)
"""
DOUBLE = """
import torch
from torch import nn
torch.manual_seed(8)
net = nn.Sequential(nn.Linear(4, 8), nn.Softplus(), nn.Linear(8, 1))
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x * factor
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.factor + 0 * x, None
x = torch.randn(5, 4, requires_grad=True)
(g,) = torch.autograd.grad(Scale.apply(net(x), 2.0).sum(), x, create_graph=True)
(g.norm(dim=1) - 1).pow(2).mean().backward()
per_sample = torch.func.vmap(lambda v: net(v).sum())(torch.randn(3, 4))
jac = torch.func.jacrev(lambda v: net(v))(torch.randn(4))
with torch.autocast("cpu", dtype=torch.bfloat16):
    net(torch.randn(2, 4)).float().sum().backward()
fingerprint(net, x.grad, per_sample, jac)
"""
LOADER = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import threading
class Data(Dataset):
    def __len__(self):
        return 6
    def __getitem__(self, index):
        return torch.ones(4) * index + torch.rand(4), torch.ones(1)
torch.manual_seed(9)
net = nn.Linear(4, 1)
def work():
    for x, y in DataLoader(Data(), batch_size=2, num_workers=2, shuffle=True):
        (net(x) - y).pow(2).mean().backward()
thread = threading.Thread(target=work)
thread.start()
thread.join()
fingerprint(net)
"""
WARNINGS = """
import torch, warnings
from torch import nn
net = nn.Linear(2, 1)
for step in range(2):
    loss = net(torch.ones(3, 2)).sum()
    float(loss)
    nn.functional.softmax(torch.ones(2, 2))
    (loss * 2).grad
    nn.functional.mse_loss(net(torch.ones(3, 2)), torch.ones(3)).backward()
float(net(torch.ones(1, 2)).sum())
fingerprint(net)
"""
PROGRAMS = {
    "warnings": WARNINGS,
    "cnn": CNN.format(optimizer="SGD(net.parameters(), lr=0.1, momentum=0.9, foreach=True)", steps=3),
    "cnn adam": CNN.format(optimizer="Adam(net.parameters(), fused=True)", steps=2),
    "transformer": TRANSFORMER,
    "recurrent": RECURRENT,
    "checkpoint": CHECKPOINT.format(reentrant=False),
    "reentrant checkpoint": CHECKPOINT.format(reentrant=True),
    "hooks": HOOKS,
    "double backward": DOUBLE,
    "loader and thread": LOADER,
}
