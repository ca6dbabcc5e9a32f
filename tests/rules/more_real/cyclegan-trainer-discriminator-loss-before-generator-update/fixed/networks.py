import torch.nn as nn


def define_G(dim, width=12):
    return nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, dim), nn.Tanh())


def define_D(dim, width=12):
    return nn.Sequential(nn.Linear(dim, width), nn.LeakyReLU(0.2), nn.Linear(width, 1))


class GANLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.MSELoss()

    def forward(self, prediction, target_is_real):
        return self.loss(prediction, prediction.detach() * 0 + float(target_is_real))
