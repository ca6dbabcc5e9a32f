import torch
from torch import nn

from noam import NoamOpt


class LossCompute:
    def __init__(self, head, criterion, opt):
        self.head, self.criterion, self.opt = head, criterion, opt

    def __call__(self, x, y, norm):
        loss = self.criterion(self.head(x).flatten(0, 1), y.flatten()) / norm
        loss.backward()
        if self.opt is not None:
            self.opt.step()
        return loss.item() * norm


torch.manual_seed(0)
emb, head = nn.Embedding(10, 8), nn.Linear(8, 10)
opt = NoamOpt(8, 1, 10, torch.optim.Adam([*emb.parameters(), *head.parameters()], lr=0))
compute = LossCompute(head, nn.CrossEntropyLoss(reduction="sum"), opt)
start = head.weight.detach().clone()
for _ in range(3):
    ids = torch.randint(10, (2, 6))
    compute(emb(ids), ids, ids.numel())
print("HAZARD-OBSERVED" if torch.equal(start, head.weight.detach()) else "OK")
