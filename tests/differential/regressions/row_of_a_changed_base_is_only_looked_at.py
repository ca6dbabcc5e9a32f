import torch
import torch.nn.functional as F
from torch import nn


class Pool:
    def __init__(self, size):
        self.size = size
        self.images = []

    def query(self, images):
        if self.size == 0:
            return images
        out = []
        for image in images:
            image = image.detach().unsqueeze_(0)
            if len(self.images) < self.size:
                self.images.append(image)
                out.append(image)
            else:
                old = self.images[0].clone()
                self.images[0] = image
                out.append(old)
        return torch.cat(out, 0)


gen, dis = (nn.Sequential(nn.Linear(4, 4), nn.Identity()), nn.Linear(4, 4))
opts = {"g": torch.optim.SGD(gen.parameters(), lr=0.1), "d": torch.optim.Adam(dis.parameters(), lr=0.01)}
pool = Pool(6)
for _step in range(2):
    real = torch.randn(4, 4)
    fake = gen(real)
    dis.requires_grad_(False)
    g_loss = F.mse_loss(dis(fake), torch.ones(4, 4))
    opts["g"].step()
    dis.requires_grad_(True)
    old = pool.query(fake)
    d_loss = 0.5 * (F.mse_loss(dis(real), torch.ones(4, 4)) + F.mse_loss(dis(old), torch.zeros(4, 4)))
    opts["d"].zero_grad()
    d_loss.backward()
    opts["d"].step()
