import torch
import torch.nn.functional as F

w = torch.rand(4, 4).requires_grad_(True)
F.logsigmoid(w).backward()
