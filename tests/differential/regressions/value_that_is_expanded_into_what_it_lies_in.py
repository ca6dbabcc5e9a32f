import torch
from torch import nn

score = nn.Linear(4, 1)(torch.randn(4, 4))
score[:, 0] = score.select(0, 1)
score[0:1] = score[0:1, 0:1]
with torch.no_grad():
    score[0:2].copy_(score[1:2])
