import torch

wide = torch.rand(4).expand(4, 4)
wide.fill_(1.0)
wide.zero_()
wide.tril_()
wide[1:] = wide[:-1]
wide[wide > 0] = 0.0
torch.add(torch.ones(4, 4), 1.0, out=wide)
