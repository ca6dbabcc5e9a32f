import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
acts = {}
m[1].register_forward_hook(lambda mod, i, o: acts.__setitem__("relu", o.detach()))
m[0].register_full_backward_hook(lambda mod, gi, go: print("bw", float(go[0].sum()).hex()))
m[0].weight.register_hook(lambda g: g * 0.5)
m.register_forward_pre_hook(lambda mod, a: (a[0] * 1,))
h = m[2].weight.register_post_accumulate_grad_hook(lambda p: print("acc", p.grad.sum().item().hex()))
opt = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    l = m(torch.randn(5, 4)).pow(2).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    print(l.item().hex(), acts["relu"].sum().item().hex())
