"""Programs about modules as wholes: what is changed between a forward and its backward, and by what."""

# ruff: noqa: E501

from __future__ import annotations

HEAD = """import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.parametrizations as P
import torch.nn.utils.parametrize as parametrize
from torch.func import functional_call
from torch.nn.utils import clip_grad_norm_, parameters_to_vector, spectral_norm, vector_to_parameters, weight_norm
torch.manual_seed(0)
x = torch.randn(2, 3)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
"""
PROGRAMS: dict[str, str] = {
    "load_state_dict": "y = net(x).sum()\nnet.load_state_dict(copy.deepcopy(net.state_dict()))\ny.backward()\n",
    "load_state_dict assign": "y = net(x).sum()\nnet.load_state_dict(copy.deepcopy(net.state_dict()), assign=True)\ny.backward()\n",
    "write to state dict": "y = net(x).sum()\nfor v in net.state_dict().values():\n    v.mul_(0.9)\ny.backward()\n",
    "init": "y = net(x).sum()\nnn.init.ones_(net[2].weight)\ny.backward()\n",
    "init first layer": "y = net(x).sum()\nnn.init.ones_(net[0].weight)\ny.backward()\n",
    "init through data": "y = net(x).sum()\nnn.init.ones_(net[2].weight.data)\ny.backward()\n",
    "reset": "y = net(x).sum()\nnet[2].reset_parameters()\ny.backward()\n",
    "apply": "y = net(x).sum()\nnet.apply(lambda m: nn.init.zeros_(m.weight) if isinstance(m, nn.Linear) else None)\ny.backward()\n",
    "step": "a = net(x).sum()\nb = net(x).mean()\na.backward()\nopt.step()\nb.backward()\n",
    "step of one layer": "opt = torch.optim.SGD(net[0].parameters(), lr=0.1)\na = net(x).sum()\nb = net(x).mean()\na.backward()\nopt.step()\nb.backward()\n",
    "clip": "y = net(x).sum()\nz = net(x).mean()\ny.backward()\nclip_grad_norm_(net.parameters(), 1.0)\nz.backward()\n",
    "vector to parameters": "v = parameters_to_vector(net.parameters())\ny = net(x).sum()\nvector_to_parameters(v.detach() * 2, net.parameters())\ny.backward()\n",
    "parameters to vector": "v = parameters_to_vector(net.parameters())\nv.pow(2).sum().backward()\nv.sum().backward()\n",
    "deepcopied target": "t = copy.deepcopy(net)\ny = t(x).sum()\nz = net(x).sum()\nz.backward()\nopt.step()\ny.backward()\n",
    "soft update between": "t = copy.deepcopy(net)\ny = t(x).sum()\nwith torch.no_grad():\n    for a, b in zip(t.parameters(), net.parameters()):\n        a.mul_(0.9).add_(b, alpha=0.1)\ny.backward()\n",
    "soft update through data": "t = copy.deepcopy(net)\ny = t(x).sum()\nfor a, b in zip(t.parameters(), net.parameters()):\n    a.data.copy_(b.data)\ny.backward()\n",
    "frozen": "net.requires_grad_(False)\ny = net(x).sum()\ny.backward()\n",
    "frozen then input": "net.requires_grad_(False)\nx.requires_grad_()\ny = net(x).sum()\nwith torch.no_grad():\n    net[2].weight.add_(1)\ny.backward()\n",
    "frozen head": "net[2].requires_grad_(False)\ny = net(x).sum()\nwith torch.no_grad():\n    net[2].weight.add_(1)\ny.backward()\n",
    "frozen trunk": "net[0].requires_grad_(False)\ny = net(x).sum()\nwith torch.no_grad():\n    net[2].weight.add_(1)\ny.backward()\n",
    "no grad": "with torch.no_grad():\n    y = net(x).sum()\ny.backward()\n",
    "eval": "net.eval()\ny = net(x).sum()\ny.backward()\ny.backward()\n",
    "parameter of a computed tensor": "w = torch.randn(3, requires_grad=True) * 2\np = nn.Parameter(w)\n(p * p).sum().backward()\n(w * w).sum().backward()\n",
    "parameter shares memory": "w = torch.randn(3)\np = nn.Parameter(w)\ny = (p * p).sum()\nw.add_(1)\ny.backward()\n",
    "parameter in place": "p = nn.Parameter(torch.zeros(3))\np += 1\n",
    "parameter element": "p = nn.Parameter(torch.zeros(3))\np[0] = 1\n",
    "bias in place": "net[0].bias.fill_(0.0)\n",
    "module weight augmented": "net[0].weight.data += 1\nnet[0].weight.mul_(2)\n",
    "dropout in place after sigmoid": "m = nn.Sequential(nn.Linear(3, 3), nn.Sigmoid(), nn.Dropout(0.5, inplace=True))\nm(x).sum().backward()\n",
    "relu in place after linear": "m = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True), nn.Linear(3, 1))\nm(x).sum().backward()\n",
    "relu in place after tanh": "m = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.ReLU(inplace=True))\nm(x).sum().backward()\n",
    "relu in place on chunks": "a, b = nn.Linear(3, 4)(x).chunk(2, 1)\nnn.ReLU(True)(a).sum().backward()\n",
    "relu in place on a leaf": "x.requires_grad_()\nnn.ReLU(True)(x)\n",
    "residual in place": "l = nn.Linear(3, 3)\nh = l(x)\nr = nn.ReLU(True)\ny = r(h) + h\ny.sum().backward()\n",
    "residual augmented": "l = nn.Linear(3, 3)\nh = torch.sigmoid(l(x))\ny = l(h)\ny += h\ny.sum().backward()\nh2 = torch.sigmoid(l(x))\nz = l(h2)\nh2 += z\nh2.sum().backward()\n",
    "batch norm twice": "m = nn.BatchNorm1d(3)\ny = m(x) + m(x * 2)\ny.sum().backward()\n",
    "batch norm eval after training": "m = nn.BatchNorm1d(3)\ny = m(x)\nm.eval()\nz = m(x)\n(y + z).sum().backward()\n",
    "batch norm statistics copied": "m = nn.BatchNorm1d(3)\ny = m(x)\nm.running_mean.copy_(torch.ones(3))\ny.sum().backward()\n",
    "embedding max norm": "e = nn.Embedding(5, 3, max_norm=1.0)\nw = (e.weight ** 2).sum()\ny = e(torch.tensor([1])).sum()\n(w + y).backward()\n",
    "embedding max norm twice": "e = nn.Embedding(5, 3, max_norm=1.0)\ny = e(torch.tensor([1])).sum() + e(torch.tensor([2])).sum()\ny.backward()\n",
    "functional embedding max norm": "w = torch.randn(5, 3, requires_grad=True)\na = (w ** 2).sum()\nb = F.embedding(torch.tensor([1]), w.detach(), max_norm=1.0)\na.backward()\n",
    "functional call": "fast = {n: p - 0.1 for n, p in net.named_parameters()}\ny = functional_call(net, fast, (x,)).sum()\ny.backward()\nopt.step()\nfunctional_call(net, fast, (x,)).sum().backward()\n",
    "functional call after step": "fast = {n: p * 0.1 for n, p in net.named_parameters()}\ny = functional_call(net, fast, (x,)).sum()\nnet(x).sum().backward()\nopt.step()\ny.backward()\n",
    "weight norm": "m = weight_norm(nn.Linear(3, 2))\n(m(x) + m(x)).sum().backward()\nm(x).sum().backward()\n",
    "weight norm step between": "m = weight_norm(nn.Linear(3, 2))\ny = m(x).sum()\nwith torch.no_grad():\n    m.weight_g.add_(1)\ny.backward()\n",
    "weight norm weight reused": "m = weight_norm(nn.Linear(3, 2))\nm(x)\nw = m.weight\n(w * 2).sum().backward()\n(w * 3).sum().backward()\n",
    "spectral norm": "m = spectral_norm(nn.Linear(3, 2))\n(m(x) + m(x)).sum().backward()\nm(x).sum().backward()\n",
    "spectral norm step between": "m = spectral_norm(nn.Linear(3, 2))\ny = m(x).sum()\nwith torch.no_grad():\n    m.weight_orig.add_(1)\ny.backward()\n",
    "spectral parametrization": "m = P.spectral_norm(nn.Linear(3, 2))\n(m(x) + m(x)).sum().backward()\nm(x).sum().backward()\n",
    "spectral parametrization step between": "m = P.spectral_norm(nn.Linear(3, 2))\ny = m(x).sum()\nwith torch.no_grad():\n    m.parametrizations.weight.original.add_(1)\ny.backward()\n",
    "weight parametrization step between": "m = P.weight_norm(nn.Linear(3, 2))\ny = m(x).sum()\nwith torch.no_grad():\n    m.parametrizations.weight.original0.add_(1)\ny.backward()\n",
    "own parametrization": "class Exp(nn.Module):\n    def forward(self, w):\n        return w.exp()\nm = nn.Linear(3, 2)\nparametrize.register_parametrization(m, 'weight', Exp())\ny = m(x).sum()\ny.backward()\nm(x).sum().backward()\n",
    "own parametrization, step between": "class Sq(nn.Module):\n    def forward(self, w):\n        return w * w\nm = nn.Linear(3, 2)\nparametrize.register_parametrization(m, 'weight', Sq())\ny = m(x).sum()\nwith torch.no_grad():\n    m.parametrizations.weight.original.add_(1)\ny.backward()\n",
    "forward hook keeps the output": "kept = []\nnet[1].register_forward_hook(lambda m, i, o: kept.append(o))\nnet(x).sum().backward()\nkept[0].sum().backward()\n",
    "forward hook changes in place": "net[1].register_forward_hook(lambda m, i, o: o.mul_(2))\nnet(x).sum().backward()\n",
    "forward hook replaces": "net[1].register_forward_hook(lambda m, i, o: o * 2)\nnet(x).sum().backward()\n",
    "forward hook detaches": "net[2].register_forward_hook(lambda m, i, o: o.detach())\nnet(x).sum().backward()\n",
    "pre hook in place": "net[2].register_forward_pre_hook(lambda m, i: i[0].add_(1))\nnet(x).sum().backward()\n",
    "full backward hook and in place": "m = nn.Linear(3, 3)\nm.register_full_backward_hook(lambda m, gi, go: None)\ny = m(x)\ny += 1\ny.sum().backward()\n",
    "full backward hook": "m = nn.Linear(3, 3)\nm.register_full_backward_hook(lambda m, gi, go: None)\ny = m(x)\ny.sum().backward()\ny.sum().backward()\n",
    "module list": "class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])\n    def forward(self, x):\n        for l in self.layers:\n            x = torch.relu(l(x))\n        return x\nn = N()\ny = n(x)\ny.mul_(2)\ny.sum().backward()\n",
    "state carried": "cell = nn.GRUCell(3, 4)\nh = torch.zeros(2, 4)\nfor i in range(2):\n    h = cell(x, h)\n    h.sum().backward()\n",
    "state detached": "cell = nn.GRUCell(3, 4)\nh = torch.zeros(2, 4)\nfor i in range(2):\n    h = cell(x, h.detach())\n    h.sum().backward()\n",
    "lstm state carried": "rnn = nn.LSTM(3, 4)\ns = None\nfor i in range(2):\n    out, s = rnn(x.unsqueeze(0), s)\n    out.sum().backward()\n",
    "lstm state detached": "rnn = nn.LSTM(3, 4)\ns = None\nfor i in range(2):\n    out, s = rnn(x.unsqueeze(0), s)\n    out.sum().backward()\n    s = tuple(t.detach() for t in s)\n",
    "lstm output in place": "rnn = nn.LSTM(3, 4)\nout, s = rnn(x.unsqueeze(0))\nout.mul_(2)\nout.sum().backward()\n",
    "lstm output activated in place": "rnn = nn.LSTM(3, 4)\nout, s = rnn(x.unsqueeze(0))\nF.relu(out, inplace=True).sum().backward()\n",
    "gru output in place": "rnn = nn.GRU(3, 4)\nout, s = rnn(x.unsqueeze(0))\nout.mul_(2)\nout.sum().backward()\n",
    "multi-head output in place": "a = nn.MultiheadAttention(4, 2)\nq = torch.randn(2, 1, 4)\nout, w = a(q, q, q)\nout += q\nout.sum().backward()\n",
    "layer twice": "l = nn.Linear(3, 3)\ny = l(l(x)).sum()\nwith torch.no_grad():\n    l.weight.add_(1)\ny.backward()\n",
    "shared weights": "a = nn.Linear(3, 3)\nb = nn.Linear(3, 3)\nb.weight = a.weight\ny = b(torch.tanh(a(x))).sum()\nwith torch.no_grad():\n    a.weight.add_(1)\ny.backward()\n",
    "replaced weight": "a = nn.Linear(3, 3)\ny = a(a(x)).sum()\na.weight = nn.Parameter(torch.zeros(3, 3))\nwith torch.no_grad():\n    a.weight.add_(1)\ny.backward()\n",
    "rebound data": "a = nn.Linear(3, 3)\ny = a(a(x)).sum()\na.weight.data = torch.zeros(3, 3)\ny.backward()\n",
    "moved": "net = net.to('cpu').float()\ny = net(x).sum()\ny.backward()\ny2 = net.double()(x.double()).sum()\ny2.backward()\n",
    "double between": "y = net(x).sum()\nnet.double()\ny.backward()\n",
    "loss weight changed": "w = torch.ones(4)\nc = nn.CrossEntropyLoss(weight=w)\ny = c(nn.Linear(3, 4)(x), torch.tensor([0, 1]))\nw.mul_(2)\ny.backward()\n",
    "targets changed": "t = torch.tensor([0, 1])\ny = nn.CrossEntropyLoss()(nn.Linear(3, 4)(x), t)\nt.add_(1)\ny.backward()\n",
    "non scalar": "nn.MSELoss(reduction='none')(net(x), torch.zeros(2, 1)).backward()\n",
    "loss without graph": "nn.MSELoss()(net(x).detach(), torch.zeros(2, 1)).backward()\n",
    "deepcopy of weight norm after forward": "m = weight_norm(nn.Linear(3, 2))\ny = m(x)\ny.sum().backward()\n",
    "sequential slice": "f = net[:2]\ny = f(x).sum()\nwith torch.no_grad():\n    net[0].weight.add_(1)\ny.backward()\ny.backward()\n",
    "compile": "m = torch.jit.trace(net, x) if False else net\ny = m(x).sum()\ny.backward()\ny.backward()\n",
    "inference": "with torch.inference_mode():\n    f = nn.Linear(3, 3)(x)\nnn.Linear(3, 1)(f).sum().backward()\n",
    "training flag": "class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 3)\n    def forward(self, x):\n        y = torch.sigmoid(self.l(x))\n        if self.training:\n            y.mul_(2)\n        return y\nn = N().eval()\nn(x).sum().backward()\nn.train()\nn(x).sum().backward()\n",
}
