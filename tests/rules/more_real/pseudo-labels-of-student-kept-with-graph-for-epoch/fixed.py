import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfTrainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def pseudo_label(self, unlabelled):
        probs = F.softmax(self.model(unlabelled), dim=1)
        return (probs.pow(2) / probs.pow(2).sum(1, keepdim=True)).detach()

    def epoch(self, unlabelled, batch_size):
        targets = self.pseudo_label(unlabelled)
        for x, t in zip(unlabelled.split(batch_size), targets.split(batch_size)):
            loss = F.kl_div(F.log_softmax(self.model(x), dim=1), t, reduction="batchmean")
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


torch.manual_seed(0)
trainer = SelfTrainer(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 4)))
for _ in range(2):
    trainer.epoch(torch.randn(12, 6), 4)
