"""Programs in which Python itself carries tensors about: what torch says of them depends on Python's semantics."""

PROGRAMS: dict[str, str] = {}
HEAD = """
import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
"""


def program(name: str, text: str) -> None:
    PROGRAMS[name] = HEAD + text.strip("\n") + "\n"


program("sum-starts-with-zero", "s = sum([w * 2, w * 3])\ns.sum().backward()\ns.sum().backward()")
program("sum-of-adds-may-be-walked-twice", "s = sum([w, w])\ns.sum().backward()\ns.sum().backward()")
program("sum-over-generator", "t = sum(w[i] * x[i] for i in range(3))\nt.backward()\nt.backward()")
program("max-keeps-the-tensor", "a = (w * 2).sum(); b = max(a, 0)\nb.backward()\na.backward()")
program("min-of-tensors", "a = (w * 2).sum(); c = min([a, a + 5])\nc.backward()\na.backward()")
program("reduce", "from functools import reduce\nt = reduce(lambda a, b: a * b, [w, w, x])\nt.sum().backward()\nt.sum().backward()")
program("map-is-lazy", "ys = map(lambda k: w * k, [1, 2])\nw.data\nw.detach().add_(1)\nfor y in ys: y.sum().backward()")
program(
    "lazy-generator-sees-later-weights",
    "ys = (torch.exp(w) * k for k in [1, 2])\nwith torch.no_grad(): w.add_(1)\nfor y in ys: y.sum().backward()",
)
program("list-sees-earlier-weights", "ys = [torch.exp(w) * w * k for k in [1, 2]]\nwith torch.no_grad(): w.add_(1)\nfor y in ys: y.sum().backward()")
program("zip-of-rows", "ys = torch.exp(w)\nfor a, b in zip(ys, x):\n    (a * b).backward()")
program("enumerate-rows", "ys = w * 2\nfor i, y in enumerate(ys):\n    y.backward()")
program("dict-keeps-graph", "d = {}\nd['loss'] = (w * x).sum()\nd['loss'].backward()\nd.get('loss').backward()")
program("defaultdict-of-lists", "from collections import defaultdict\nd = defaultdict(list)\nd['a'].append((w * w).sum())\nsum(d['a']).backward()\nd['a'][0].backward()")
program("namedtuple", "from collections import namedtuple\nOut = namedtuple('Out', 'loss logits')\no = Out((w * w).sum(), w)\no.loss.backward()\nl, _ = o\nl.backward()")
program("dataclass", "from dataclasses import dataclass\n@dataclass\nclass O:\n    loss: object\no = O((w * w).sum())\no.loss.backward()\no.loss.backward()")
program("lru-cache-returns-old-graph", "from functools import lru_cache\n@lru_cache\ndef f(k): return (w * w * k).sum()\nf(1).backward()\nf(2).backward()\nf(1).backward()")
program("cached-property", "from functools import cached_property\nclass C:\n    @cached_property\n    def v(self): return w.exp()\nc = C()\nc.v.sum().backward()\nc.v.sum().backward()")
program("property-is-fresh", "class C:\n    @property\n    def v(self): return w.exp()\nc = C()\nc.v.sum().backward()\nc.v.sum().backward()")
program("partial", "from functools import partial\nf = partial(torch.mul, w)\ny = f(w).sum()\ny.backward()\ny.backward()")
program("deepcopy-of-non-leaf", "import copy\ny = w * 2\nz = copy.deepcopy(y)")
program("deepcopy-of-leaf", "import copy\nz = copy.deepcopy(w)\nz.requires_grad\n(z * z).sum().backward()\nwith torch.no_grad(): z.add_(1)")
program("deepcopied-module-is-apart", "import copy\nnet = nn.Linear(3, 1)\nold = copy.deepcopy(net)\ny = net(net.weight).sum()\nwith torch.no_grad(): old.weight.add_(1)\ny.backward()")
program("copied-list-shares-tensors", "import copy\nps = [w]\nqs = copy.copy(ps)\ny = (w * w).sum()\nwith torch.no_grad(): qs[0].add_(1)\ny.backward()")
program("deepcopied-list-does-not", "import copy\nps = [w]\nqs = copy.deepcopy(ps)\ny = (w * w).sum()\nwith torch.no_grad(): qs[0].add_(1)\ny.backward()")
program("contextmanager-no-grad", "from contextlib import contextmanager\n@contextmanager\ndef off():\n    with torch.no_grad():\n        yield\nwith off():\n    y = (w * w).sum()\ny.backward()")
program("contextmanager-leaves", "from contextlib import contextmanager\n@contextmanager\ndef off():\n    with torch.no_grad():\n        yield\nwith off():\n    pass\n(w * w).sum().backward()")
program("nullcontext-or-no-grad", "from contextlib import nullcontext\nfor train in (True, False):\n    with nullcontext() if train else torch.no_grad():\n        y = (w * w).sum()\n    y.backward()")
program("exitstack", "from contextlib import ExitStack\nwith ExitStack() as s:\n    s.enter_context(torch.no_grad())\n    y = (w * w).sum()\ny.backward()")
program("decorator-with-wraps", "from functools import wraps\ndef twice(f):\n    @wraps(f)\n    def g(*a, **k):\n        f(*a, **k)\n        return f(*a, **k)\n    return g\ny = (w * w).sum()\n@twice\ndef back(t): t.backward()\nback(y)")
program("chain-of-parameters", "from itertools import chain\na, b = nn.Linear(3, 3), nn.Linear(3, 1)\nopt = torch.optim.SGD(chain(a.parameters(), b.parameters()), lr=0.1)\nloss = b(torch.relu(a(x))).sum()\nloss2 = b(torch.relu(a(x))).sum()\nloss.backward()\nopt.step()\nloss2.backward()")
program("cycle-of-batches", "from itertools import cycle\nys = [(w * w).sum(), (w * 3 * w).sum()]\nfor i, y in zip(range(3), cycle(ys)):\n    y.backward()")
program("try-except-swallows", "y = (w * w).sum()\ny.backward()\ntry:\n    y.backward()\nexcept RuntimeError:\n    pass\n(w * w).sum().backward()")
program("getattr-by-name", "y = getattr(torch, 'exp')(w).sum()\ngetattr(y, 'backward')()\ngetattr(y, 'backward')()")
program("setattr-on-object", "class S: pass\ns = S()\nsetattr(s, 'h', w.exp())\ns.h.sum().backward()\ngetattr(s, 'h').sum().backward()")
program("sorted-by-value", "ys = sorted([(w * 2).sum(), (w * 1).sum()], key=lambda t: t.item())\nys[0].backward()\nys[0].backward()")
program("math-of-tensor-is-a-number", "import math\ny = (w * w).sum()\nz = w * math.sqrt(y)\nz.sum().backward()\nz = w.exp() * float(y)\nz.sum().backward()\ny.backward()")
program("operator-module", "import operator\ny = operator.mul(w, w).sum()\ny.backward()\ny.backward()")
program("operator-iadd-in-place", "import operator\ny = torch.exp(w)\noperator.iadd(y, 1)\ny.sum().backward()")
program("deque-of-losses", "from collections import deque\nq = deque(maxlen=2)\nfor i in range(3): q.append((w * w).sum())\nsum(q).backward()\nq[0].backward()")
program("next-of-iterator", "it = iter([(w * w).sum(), (w * w).sum()])\na = next(it); a.backward()\nb = next(it); b.backward()\nc = next(it, a); c.backward()")
program("starred", "def f(*ls, **kw): return sum(ls) + kw['z']\nls = [(w * w).sum()] * 2\ny = f(*ls, **{'z': ls[0]})\ny.backward()\nls[0].backward()")
program("closure-counter", "state = {'h': w * 1.0}\ndef step(v):\n    state['h'] = torch.tanh(state['h'] * v)\n    return state['h'].sum()\nfor v in x:\n    step(v).backward()")
program("closure-detached", "state = {'h': w * 1.0}\ndef step(v):\n    state['h'] = torch.tanh(state['h'].detach() * v * w)\n    return state['h'].sum()\nfor v in x:\n    step(v).backward()")
program("generator-under-decorator", "@torch.no_grad()\ndef gen():\n    for k in (1, 2): yield w * k\nfor g in gen():\n    (w * w).sum().backward()\n    g.sum().backward()")
program("send-to-generator", "def g():\n    t = w.exp()\n    while True:\n        v = yield t\n        t = t * v\nh = g(); next(h)\na = h.send(x); a.sum().backward()\nb = h.send(x); b.sum().backward()")
program("thread-runs-the-target", "import threading\ny = (w * w).sum()\nt = threading.Thread(target=y.backward); t.start(); t.join()\ny.backward()")
program("enum-and-match", "from enum import Enum\nclass M(Enum):\n    A = 1\n    B = 2\nmode = M.B\ny = (w * w).sum()\ny.backward()\nif mode is M.A: y.backward()\nif mode == M.B: y.backward()")
program("dict-subclass", "class Cfg(dict):\n    __getattr__ = dict.__getitem__\n    __setattr__ = dict.__setitem__\nc = Cfg(loss=(w * w).sum())\nc.loss.backward()\nc['loss'].backward()")
program("int-of-known-tensor", "n = int(torch.tensor(2))\ny = (w * w).sum()\nfor _ in range(n): y.backward()")
program("any-over-numbers", "y = (w * w).sum()\ny.backward()\nif any(k > 2 for k in [1, 2]): y.backward()\nif all(k > 0 for k in [1, 2]): y.backward()")
program("unused-rest-of-loop", "ys = [w.exp().sum() for _ in range(3)]\nfor y in ys:\n    y.backward()\n    break\nfor y in reversed(ys): y.backward()")
program("simple-namespace", "from types import SimpleNamespace\ns = SimpleNamespace(y=(w * w).sum())\ns.y.backward()\nvars(s)['y'].backward()")
program("class-attribute-shared", "class A: hist = []\na, b = A(), A()\na.hist.append((w * w).sum())\nb.hist[0].backward()\nsum(A.hist).backward()")
program("walrus-and-slices", "ys = [(w * w).sum() for _ in range(4)]\nif (m := ys[1:3]): sum(m).backward()\nys[0].backward()\nys[-2].backward()")

# -- data loaders -----------------------------------------------------------------------------------------------------
program(
    "loader-keeps-the-graph-of-labels",
    """
from torch.utils.data import DataLoader
X = torch.randn(8, 3); Y = torch.exp(X * w)
for a, b in DataLoader(list(zip(X, Y)), batch_size=4):
    (a * b).sum().backward()
""",
)
program(
    "loader-of-detached-labels",
    """
from torch.utils.data import DataLoader
X = torch.randn(8, 3); Y = torch.exp(X * w).detach()
for a, b in DataLoader(list(zip(X, Y)), batch_size=4):
    (a * b * w).sum().backward()
""",
)
program(
    "tensor-dataset",
    """
from torch.utils.data import DataLoader, TensorDataset
X = torch.randn(6, 3); Y = torch.exp(X * w)
loader = DataLoader(TensorDataset(X, Y), batch_size=3)
for epoch in range(2):
    for a, b in loader:
        ((a - b) ** 2).mean().backward()
""",
)
program(
    "user-dataset-makes-fresh-graphs",
    """
from torch.utils.data import DataLoader, Dataset
class D(Dataset):
    def __len__(self): return 4
    def __getitem__(self, i): return {"x": x, "y": w.exp(), "i": i}
for batch in DataLoader(D(), batch_size=2):
    (batch["x"] * batch["y"]).sum().backward()
""",
)
program(
    "user-dataset-hands-out-one-graph",
    """
from torch.utils.data import DataLoader, Dataset
class D(Dataset):
    def __init__(self): self.y = w.exp()
    def __len__(self): return 4
    def __getitem__(self, i): return x, self.y
for a, b in DataLoader(D(), batch_size=2):
    (a * b).sum().backward()
""",
)
program(
    "collate-fn",
    """
from torch.utils.data import DataLoader
def collate(samples):
    return torch.stack([s[0] for s in samples]).detach(), torch.stack([s[1] for s in samples])
Y = torch.exp(x * w)
for a, b in DataLoader([(y, y * 2) for y in Y], batch_size=1, collate_fn=collate):
    (a * b).sum().backward()
""",
)
program(
    "random-split-and-subset",
    """
from torch.utils.data import DataLoader, TensorDataset, random_split
X = torch.randn(6, 3); Y = X @ w.detach()
train, val = random_split(TensorDataset(X, Y), [4, 2])
net = nn.Linear(3, 1); opt = torch.optim.SGD(net.parameters(), 0.1)
for a, b in DataLoader(train, batch_size=2):
    opt.zero_grad(); loss = ((net(a).squeeze() - b) ** 2).mean(); loss.backward(); opt.step()
loss.backward()
""",
)
program(
    "iterable-dataset",
    """
from torch.utils.data import DataLoader, IterableDataset
h = w.exp()
class S(IterableDataset):
    def __iter__(self):
        for k in range(4): yield h * k
for b in DataLoader(S(), batch_size=2):
    b.sum().backward()
""",
)
program(
    "loader-inside-tqdm-and-enumerate",
    """
from torch.utils.data import DataLoader
Y = w.exp()
for i, b in enumerate(DataLoader(list(Y), batch_size=1)):
    b.sum().backward()
""",
)
program(
    "default-collate-of-dicts",
    """
from torch.utils.data import default_collate
y = w.exp()
b = default_collate([{"y": y[0], "n": 1}, {"y": y[1], "n": 2}])
b["y"].sum().backward()
y.sum().backward()
""",
)
