import torch
import torch.nn.functional as F

w = torch.rand(4, 4).requires_grad_(True)
target = torch.rand(4, 4)
loss = F.smooth_l1_loss(w, target)
gradient = torch.autograd.grad(loss, w, create_graph=True)[0]
target.add_(1)
gradient.mean().backward()
