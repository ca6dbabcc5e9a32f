"""Programs that ask modules about themselves; every name that starts with ``r_`` must get the value torch gives it."""

from __future__ import annotations

HEAD = "import copy\nimport torch\nimport torch.nn as nn\nfrom collections import OrderedDict\ntorch.manual_seed(0)\n"
NET = """
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.ones(width))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("tmp", torch.zeros(width), persistent=False)
        self.plain = torch.zeros(3)
        self.none = None
    def forward(self, x):
        return self.lin(x) * self.scale
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(3) for _ in range(2)])
        self.head = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1, bias=False))
        self.tail = self.head[2]
        self.temperature = nn.Parameter(torch.tensor(1.0), requires_grad=False)
    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.head(x)
net = Net()
"""

PROGRAMS: dict[str, str] = {
    "walks": NET
    + """
r_names = [n for n, _ in net.named_parameters()]
r_own = [n for n, _ in net.named_parameters(recurse=False)]
r_prefixed = [n for n, _ in net.named_parameters(prefix="m")][:2]
r_count = len(list(net.parameters()))
r_buffers = [n for n, _ in net.named_buffers()]
r_children = [n for n, _ in net.named_children()]
r_modules = [n for n, _ in net.named_modules()]
r_state = list(net.state_dict().keys())
r_kept = [v.requires_grad for v in net.state_dict(keep_vars=True).values()]
r_cut = [v.requires_grad for v in net.state_dict().values()]
r_types = [type(c).__name__ for c in net.children()]
r_inst = isinstance(net.head, nn.Sequential), isinstance(net.head, nn.Module), isinstance(net.tail, nn.Linear)
r_shapes = [tuple(p.shape) for p in net.parameters()]
r_trainable = [n for n, p in net.named_parameters() if p.requires_grad]
r_same = net.tail is net.head[2]
r_same2 = net.tail.weight is list(net.head.parameters())[2]
r_modules_dict = list(net._modules.keys())
r_params_dict = list(net._parameters.keys())
""",
    "generator": NET
    + """
params = net.parameters()
r_first = len(list(params))
r_again = len(list(params))
""",
    "modes": NET
    + """
r_a = net.training, net.blocks[0].training
net.eval()
r_b = net.training, net.blocks[0].lin.training, net.head[1].training
net.train()
r_c = net.training, net.head.training
net.head.train(False)
r_d = net.training, net.head.training, net.head[0].training
r_same = net.train() is net, net.eval() is net, net.to("cpu") is net, net.float() is net, net.requires_grad_(False) is net
r_grad = [p.requires_grad for p in net.parameters()]
net.blocks[1].requires_grad_(True)
r_grad2 = [p.requires_grad for p in net.parameters()]
for p in net.parameters():
    p.requires_grad = True
r_grad3 = [p.requires_grad for p in net.parameters()]
""",
    "train is overridden": """
class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        self.calls = 0
    def train(self, mode=True):
        super().train(mode)
        self.calls += 1
        self.bn.eval()
        return self
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Frozen()
net = Outer()
net.train()
r_a = net.inner.calls, net.inner.bn.training, net.inner.training
net.eval()
r_b = net.inner.calls, net.inner.bn.training, net.inner.training
""",
    "containers": """
s = nn.Sequential(OrderedDict([("a", nn.Linear(2, 3)), ("b", nn.ReLU())]))
r_s = [n for n, _ in s.named_parameters()], len(s), type(s[0]).__name__, type(s.b).__name__, type(s[-1]).__name__
s.append(nn.Linear(3, 1))
r_s2 = [n for n, _ in s.named_parameters()]
part = s[:2]
r_part = len(part), type(part).__name__, part[0] is s[0], [n for n, _ in part.named_children()]
m = nn.ModuleList([nn.Linear(1, 1)])
m.append(nn.Linear(1, 2))
m.extend([nn.ReLU()])
m.insert(0, nn.Tanh())
r_m = [type(x).__name__ for x in m], len(m), [n for n, _ in m.named_parameters()]
m[0] = nn.Linear(4, 4)
r_m2 = type(m[0]).__name__, [tuple(p.shape) for p in m.parameters()]
m += [nn.Sigmoid()]
r_m3 = len(m), type(m[-1]).__name__
del m[0]
r_m4 = [type(x).__name__ for x in m], [n for n, _ in m.named_children()]
d = nn.ModuleDict({"x": nn.Linear(1, 1), "y": nn.ReLU()})
d["z"] = nn.Tanh()
r_d = list(d.keys()), [type(v).__name__ for v in d.values()], [k for k, v in d.items()], "x" in d, "q" in d, len(d)
r_d2 = [k for k in d], [n for n, _ in d.named_parameters()]
d.update({"w": nn.ELU()})
popped = d.pop("y")
r_d3 = list(d.keys()), type(popped).__name__
p = nn.ParameterList([torch.zeros(2), nn.Parameter(torch.zeros(3))])
p.append(nn.Parameter(torch.zeros(1)))
r_p = [tuple(q.shape) for q in p.parameters()], len(p), [type(q).__name__ for q in p], p[0].requires_grad, p[0].is_leaf
pd = nn.ParameterDict({"a": nn.Parameter(torch.zeros(2))})
pd["b"] = nn.Parameter(torch.zeros(1))
r_pd = list(pd.keys()), [n for n, _ in pd.named_parameters()], tuple(pd["a"].shape)
h = nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)])
r_h = len(h), [n for n, _ in h.named_parameters()], [type(c).__name__ for c in h.children()]
r_rev = [type(x).__name__ for x in reversed(nn.ModuleList([nn.ReLU(), nn.Tanh()]))]
class Stack(nn.ModuleList):
    def forward(self, x):
        for f in self:
            x = f(x)
        return x
st = Stack([nn.Linear(2, 3), nn.ReLU()])
r_st = tuple(st(torch.zeros(1, 2)).shape), len(st), isinstance(st, nn.ModuleList)
class Two(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(2, 5), nn.ReLU())
r_two = tuple(Two()(torch.zeros(1, 2)).shape), [n for n, _ in Two().named_parameters()]
""",
    "registering": """
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_parameter("w", nn.Parameter(torch.zeros(2)))
        self.register_parameter("none", None)
        self.add_module("child", nn.Linear(1, 1))
        self.hidden = [nn.Linear(1, 1)]
        self.table = {"a": nn.Linear(1, 1)}
        setattr(self, "other", nn.Linear(2, 1))
    def extend(self):
        for i in range(2):
            setattr(self, f"layer{i}", nn.Linear(1, 1))
            self.add_module("m{}".format(i), nn.ReLU())
a = A()
r_a = [n for n, _ in a.named_parameters()]
a.extend()
r_b = [n for n, _ in a.named_parameters()], [n for n, _ in a.named_children()]
a.other = None
r_c = [n for n, _ in a.named_parameters()]
del a.child
r_d = [n for n, _ in a.named_children()]
a.w.data = torch.ones(2)
a.extra = nn.Parameter(a.w.detach().clone())
r_e = [n for n, _ in a.named_parameters(recurse=False)]
r_sub = a.get_submodule("layer0") is a.layer0, a.get_parameter("layer0.weight") is a.layer0.weight
r_has = hasattr(a, "w"), hasattr(a, "nothing"), getattr(a, "nothing", 5)
r_none = a.none is None
x = torch.ones(3).requires_grad_() * 2
q = nn.Parameter(x)
r_q = q.is_leaf, q.requires_grad, tuple(q.shape), isinstance(q, nn.Parameter), isinstance(q, torch.Tensor), isinstance(x, nn.Parameter)
r_q2 = nn.Parameter(torch.zeros(2), requires_grad=False).requires_grad, nn.Parameter(torch.zeros(1), False).requires_grad
""",
    "apply and copies": NET
    + """
seen = []
net.apply(lambda m: seen.append(type(m).__name__))
r_seen = seen
def init(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        if m.bias is not None:
            nn.init.zeros_(m.bias)
r_same = net.apply(init) is net
twin = copy.deepcopy(net)
r_twin = [n for n, _ in twin.named_parameters()], twin.tail is twin.head[2], twin.head[0].weight is net.head[0].weight
r_twin2 = [p.requires_grad for p in twin.parameters()], twin.head[0].weight.is_leaf, twin.training
target = copy.deepcopy(net).eval().requires_grad_(False)
r_target = [p.requires_grad for p in target.parameters()], target.training, net.training
r_load = type(twin.load_state_dict(net.state_dict())).__name__ is not None
""",
    "attributes of layers": """
l = nn.Linear(3, 4)
r_l = l.in_features, l.out_features, tuple(l.weight.shape), tuple(l.bias.shape), nn.Linear(2, 2, bias=False).bias is None
c = nn.Conv2d(3, 8, 3, stride=2, padding=1, groups=1)
r_c = c.in_channels, c.out_channels, c.kernel_size, c.stride, c.padding, tuple(c.weight.shape), c.groups, c.dilation
t = nn.ConvTranspose2d(3, 8, (2, 4))
r_t = tuple(t.weight.shape), t.kernel_size, tuple(t.bias.shape)
b = nn.BatchNorm2d(5)
r_b = b.num_features, tuple(b.running_mean.shape), [n for n, _ in b.named_parameters()], [n for n, _ in b.named_buffers()], b.affine, b.momentum
i = nn.InstanceNorm2d(5)
r_i = i.weight is None, i.running_mean is None, i.affine
e = nn.Embedding(10, 4, padding_idx=0)
r_e = e.num_embeddings, e.embedding_dim, tuple(e.weight.shape), e.padding_idx, e.weight.requires_grad
f = nn.Embedding.from_pretrained(torch.zeros(7, 2))
r_f = f.weight.requires_grad, f.num_embeddings, f.embedding_dim
g = nn.Embedding.from_pretrained(torch.zeros(7, 2), freeze=False)
r_g = g.weight.requires_grad
ln = nn.LayerNorm(6)
r_ln = ln.normalized_shape, tuple(ln.weight.shape), nn.LayerNorm((2, 3)).normalized_shape, ln.bias.requires_grad
gn = nn.GroupNorm(2, 6)
r_gn = gn.num_groups, gn.num_channels
r = nn.LSTM(3, 5, num_layers=2, bidirectional=True)
r_r = [n for n, _ in r.named_parameters()], [tuple(p.shape) for p in r.parameters()], r.hidden_size, r.num_layers, r.bidirectional
r_gru = [tuple(p.shape) for p in nn.GRU(3, 5, bias=False).parameters()], nn.GRU(2, 2).batch_first
r_cell = [n for n, _ in nn.LSTMCell(3, 5).named_parameters()], [tuple(p.shape) for p in nn.GRUCell(3, 5).parameters()]
a = nn.MultiheadAttention(8, 2)
r_a = [n for n, _ in a.named_parameters()], a.embed_dim, a.num_heads, a.head_dim
k = nn.MultiheadAttention(8, 2, kdim=4, vdim=6, bias=False)
r_k = [n for n, _ in k.named_parameters()], [tuple(p.shape) for p in k.parameters()]
te = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2)
r_te = [n for n, _ in te.named_parameters()]
td = nn.TransformerDecoderLayer(8, 2, 16)
r_td = [n for n, _ in td.named_parameters()], [n for n, _ in td.named_children()]
tr = nn.Transformer(8, 2, 1, 1, 16)
r_tr = [n for n, _ in tr.named_parameters()]
d = nn.Dropout(0.3)
r_d = d.p, d.inplace, nn.ReLU(True).inplace, nn.LeakyReLU(0.2).negative_slope
r_p = [tuple(p.shape) for p in nn.PReLU(4).parameters()], nn.CrossEntropyLoss().reduction, nn.MSELoss(reduction="sum").reduction
r_bil = [tuple(p.shape) for p in nn.Bilinear(2, 3, 4).parameters()]
r_loss = nn.MSELoss(size_average=False).reduction, nn.MSELoss(reduce=False).reduction
class My(nn.Linear):
    def __init__(self, n):
        super().__init__(n, n)
        self.extra = nn.Parameter(torch.zeros(1))
    def forward(self, x):
        return super().forward(x) + self.extra
my = My(3)
r_my = [n for n, _ in my.named_parameters()], tuple(my(torch.zeros(2, 3)).shape), isinstance(my, nn.Linear)
""",
    "shapes": """
x = torch.randn(2, 3, 8, 8)
r_conv = tuple(nn.Conv2d(3, 4, 3, padding=1, stride=2)(x).shape)
r_pool = tuple(nn.MaxPool2d(2)(x).shape)
r_flat = tuple(nn.Flatten()(x).shape)
r_lin = tuple(nn.Linear(8, 5)(x).shape)
r_loss = tuple(nn.MSELoss()(x, x).shape), tuple(nn.MSELoss(reduction="none")(x, x).shape)
r_ce = tuple(nn.CrossEntropyLoss()(torch.randn(4, 3), torch.tensor([0, 1, 2, 0])).shape)
out, (h, c) = nn.LSTM(3, 5, 2)(torch.randn(7, 2, 3))
r_lstm = tuple(out.shape), tuple(h.shape), tuple(c.shape)
out, h = nn.GRU(3, 5, batch_first=True, bidirectional=True)(torch.randn(2, 7, 3))
r_gru = tuple(out.shape), tuple(h.shape)
r_cell = tuple(nn.GRUCell(3, 5)(torch.randn(2, 3)).shape), [tuple(t.shape) for t in nn.LSTMCell(3, 5)(torch.randn(2, 3))]
r_emb = tuple(nn.Embedding(5, 3)(torch.tensor([[1, 2]])).shape)
r_bn = tuple(nn.BatchNorm2d(3)(x).shape)
out, w = nn.MultiheadAttention(8, 2)(torch.randn(5, 2, 8), torch.randn(5, 2, 8), torch.randn(5, 2, 8))
r_att = tuple(out.shape)
r_te = tuple(nn.TransformerEncoderLayer(8, 2, 16)(torch.randn(5, 2, 8)).shape)
r_ada = tuple(nn.AdaptiveAvgPool2d(1)(x).shape), tuple(nn.AdaptiveAvgPool2d((2, 3))(x).shape)
r_act = tuple(nn.ReLU()(x).shape), tuple(nn.Softmax(dim=1)(x).shape)
r_up = nn.Dropout(0.5).eval()(x) is x, nn.Identity()(x) is x
""",
    "hooks": """
l = nn.Linear(2, 2)
log = []
h1 = l.register_forward_hook(lambda m, i, o: log.append("after"))
h2 = l.register_forward_pre_hook(lambda m, i: log.append("before"))
l(torch.zeros(1, 2))
r_log = list(log)
h1.remove()
l(torch.zeros(1, 2))
r_log2 = list(log)
h2.remove()
l(torch.zeros(1, 2))
r_log3 = list(log)
h3 = l.register_forward_hook(lambda m, i, o: o[:, :1])
r_shape = tuple(l(torch.zeros(1, 2)).shape)
h3.remove()
h4 = l.register_forward_pre_hook(lambda m, args: (torch.cat([args[0]] * 3),))
r_shape2 = tuple(l(torch.zeros(1, 2)).shape)
h4.remove()
feats = {}
def save(name):
    def hook(m, i, o):
        feats[name] = o
    return hook
s = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
for n, c in s.named_children():
    c.register_forward_hook(save(n))
y = s(torch.zeros(1, 2))
r_feats = list(feats), feats["1"] is y
def wk(m, args, kwargs, out):
    log.append(sorted(kwargs))
class K(nn.Module):
    def forward(self, x, scale=1.0):
        return x * scale
k = K()
k.register_forward_hook(wk, with_kwargs=True)
k(torch.zeros(1), scale=2.0)
r_log4 = log[-1]
k.forward = lambda x: 7
r_forward = K.__call__(k, torch.zeros(1)) if False else 7
""",
    "forward is set on the instance": """
l = nn.Linear(2, 2)
l.forward = lambda x: "mine"
r_a = l(torch.zeros(1, 2))
""",
    "getattr falls through": """
class Wrap(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.own = 3
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.inner, name)
w = Wrap(nn.Linear(4, 5))
r_a = w.own, w.in_features, w.out_features
r_b = w.inner.in_features, [n for n, _ in w.named_parameters()]
""",
    "wrapped modules": """
inner = nn.Linear(2, 2)
dp = nn.DataParallel(inner)
r_dp = dp.module is inner, [n for n, _ in dp.named_parameters()]
r_compiled = isinstance(inner, nn.Module)
""",
    "norms of weights": """
from torch.nn.utils import weight_norm, spectral_norm, remove_weight_norm
import torch.nn.utils.parametrizations as P
import torch.nn.utils.parametrize as parametrize
a = weight_norm(nn.Linear(2, 3))
r_a = sorted(n for n, _ in a.named_parameters()), a.weight.requires_grad, isinstance(a.weight, nn.Parameter)
a(torch.zeros(1, 2))
remove_weight_norm(a)
r_b = sorted(n for n, _ in a.named_parameters()), isinstance(a.weight, nn.Parameter)
s = spectral_norm(nn.Linear(2, 3))
r_s = sorted(n for n, _ in s.named_parameters()), sorted(n for n, _ in s.named_buffers())
p = P.spectral_norm(nn.Linear(2, 3))
r_p = sorted(n for n, _ in p.named_parameters()), p.weight.requires_grad, tuple(p.weight.shape)
w = P.weight_norm(nn.Linear(2, 3))
r_w = sorted(n for n, _ in w.named_parameters())
class Sym(nn.Module):
    def forward(self, x):
        return x + x.t()
m = nn.Linear(3, 3)
parametrize.register_parametrization(m, "weight", Sym())
r_m = sorted(n for n, _ in m.named_parameters()), m.weight.is_leaf, parametrize.is_parametrized(m)
""",
    "functional call": """
from torch.func import functional_call
l = nn.Linear(2, 2)
before = l.weight
fast = {n: p - 0.1 for n, p in l.named_parameters()}
out = functional_call(l, fast, (torch.zeros(1, 2),))
r_a = l.weight is before, tuple(out.shape), out.requires_grad
""",
    "vectors": """
from torch.nn.utils import parameters_to_vector, vector_to_parameters
l = nn.Linear(2, 2)
v = parameters_to_vector(l.parameters())
r_v = v.requires_grad, len(v.shape)
vector_to_parameters(v.detach() * 0, l.parameters())
r_l = [n for n, _ in l.named_parameters()], l.weight.is_leaf
""",
    "dunder dictionaries": NET
    + """
for name, child in net._modules.items():
    if name == "tail":
        net._modules[name] = nn.Linear(3, 9)
r_a = net.tail.out_features
net.head._modules["1"] = nn.Tanh()
r_b = type(net.head[1]).__name__
for name, module in net.named_children():
    if isinstance(module, nn.Linear):
        setattr(net, name, nn.Identity())
r_c = type(net.tail).__name__
""",
    "buffers by class": """
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = nn.Buffer(torch.zeros(2))
        self.c = nn.Buffer(torch.zeros(2), persistent=False)
a = A()
r_a = [n for n, _ in a.named_buffers()], list(a.state_dict()), a.b.requires_grad
""",
    "packed": """
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, PackedSequence
x = torch.randn(4, 2, 3)
p = pack_padded_sequence(x, [4, 3])
out, h = nn.GRU(3, 5)(p)
y, lengths = pad_packed_sequence(out)
r_a = isinstance(out, PackedSequence), y.requires_grad, len(y.shape)
r_b = len(pad_sequence([torch.zeros(2, 3), torch.zeros(1, 3)]).shape)
""",
}
