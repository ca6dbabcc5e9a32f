import torch
import torch.nn as nn
import torch.nn.functional as F

from utils import reduce_dict


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.box, self.cls = nn.Linear(16, 4), nn.Linear(16, 3)

    def forward(self, images, targets):
        h = self.backbone(images)
        return {
            "loss_box_reg": F.smooth_l1_loss(self.box(h), targets["boxes"]),
            "loss_classifier": F.cross_entropy(self.cls(h), targets["labels"]),
        }


def train_one_epoch(model, optimizer, loader):
    for images, targets in loader:
        loss_dict = reduce_dict(model(images, targets))
        losses = sum(loss for loss in loss_dict.values())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()


torch.manual_seed(0)
model = Detector()
data = [(torch.randn(4, 6), {"boxes": torch.rand(4, 4), "labels": torch.randint(3, (4,))}) for _ in range(2)]
train_one_epoch(model, torch.optim.SGD(model.parameters(), lr=0.01), data)
