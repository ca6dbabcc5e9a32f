import torch
import torch.nn.functional as F

x = torch.randn(4, 4)
wide = F.logsigmoid(x)[0].expand(4, -1)
wide.relu_()
