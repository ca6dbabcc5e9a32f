import torch
import torch.nn as nn
import torch.nn.functional as F

from train_utils import Step


class TwoStage(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv1d(1, 4, 3, padding=1), nn.ReLU())
        self.rpn, self.roi = nn.Conv1d(4, 1, 1), nn.Linear(4, 3)

    def forward(self, x):
        features = self.backbone(x)
        return self.rpn(features).squeeze(1), self.roi(features.mean(-1))


torch.manual_seed(0)
model = TwoStage()
step = Step(torch.optim.SGD(model.parameters(), lr=0.01), clip=1.0)
for _ in range(2):
    x = torch.randn(2, 1, 8)
    objectness, logits = model(x)
    rpn_loss = F.binary_cross_entropy_with_logits(objectness, torch.rand(2, 8).round())
    roi_loss = F.cross_entropy(logits, torch.randint(3, (2,)))
    step.backward(rpn_loss, roi_loss)
