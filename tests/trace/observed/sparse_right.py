import torch
from torch import nn

torch.manual_seed(0)
e = nn.EmbeddingBag(20, 4, sparse=True, mode="sum")
lin = nn.Linear(4, 2)
o = torch.optim.SparseAdam(list(e.parameters()))
o2 = torch.optim.SGD(lin.parameters(), 0.1)
for i in range(3):
    l = lin(e(torch.randint(0, 20, (6,)), torch.tensor([0, 3]))).pow(2).mean()
    o.zero_grad()
    o2.zero_grad()
    l.backward()
    o.step()
    o2.step()
    print(l.item().hex())
s = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), requires_grad=True)
torch.sparse.mm(s, torch.ones(2, 2)).sum().backward()
print(s.grad.coalesce().values())
