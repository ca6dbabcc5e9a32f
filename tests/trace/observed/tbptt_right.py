import torch
from torch import nn

torch.manual_seed(0)


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(10, 8)
        self.r = nn.LSTM(8, 8, batch_first=True)
        self.o = nn.Linear(8, 10)

    def forward(self, x, h):
        y, h = self.r(self.e(x), h)
        return self.o(y), h


m = LM()
opt = torch.optim.SGD(m.parameters(), 0.1)
data = torch.randint(0, 10, (2, 41))
h = None
for i in range(0, 40, 10):
    x, y = data[:, i : i + 10], data[:, i + 1 : i + 11]
    if h is not None:
        h = tuple(t.detach_() for t in h)
    out, h = m(x, h)
    loss = nn.functional.cross_entropy(out.reshape(-1, 10), y.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item().hex())
