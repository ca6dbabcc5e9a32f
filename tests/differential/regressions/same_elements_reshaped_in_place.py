import torch

x = torch.ones(4, 4)
x.lerp_(x.unsqueeze(0).squeeze(0), 0.5)
x.lerp_(x.unsqueeze(0).squeeze_(0), 0.5)
x.lerp_(x.t().t_(), 0.5)
x.lerp_(x.t().transpose_(0, 1), 0.5)
x.lerp_(x.view(2, 8).unsqueeze_(0).squeeze_(0).view(4, 4), 0.5)
x.lerp_(x.swapaxes(0, 1).swapaxes_(0, 1), 0.5)
x.lerp_(x.view(16).resize_(4, 4), 0.5)
