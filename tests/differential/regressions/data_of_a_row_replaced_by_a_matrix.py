import torch

w = torch.zeros(4, 4)
row = w[1]
row.data = torch.rand(4, 4)
row[0] = w.sum()
