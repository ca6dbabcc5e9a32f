import torch
import torch.nn as nn


class DomainAdapt:
    def __init__(self):
        self.encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        self.classifier = nn.Linear(4, 3)
        self.domain = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.opt_task = torch.optim.Adam([*self.encoder.parameters(), *self.classifier.parameters()], lr=1e-3)
        self.opt_dom = torch.optim.Adam(self.domain.parameters(), lr=1e-3)
        self.bce, self.ce = nn.BCEWithLogitsLoss(), nn.CrossEntropyLoss()

    def domain_loss(self, features, is_source):
        logits = self.domain(features.detach())
        return self.bce(logits, torch.full_like(logits, float(is_source)))

    def train_discriminator(self, xs, xt):
        fs, ft = self.encoder(xs), self.encoder(xt)
        loss = self.domain_loss(fs, True) + self.domain_loss(ft, False)
        self.opt_dom.zero_grad()
        loss.backward()
        self.opt_dom.step()

    def train_encoder(self, xs, ys, xt):
        fs, ft = self.encoder(xs), self.encoder(xt)
        confusion = self.domain_loss(ft, True)
        reach = False
        if confusion.requires_grad:
            grads = torch.autograd.grad(confusion, list(self.encoder.parameters()), retain_graph=True, allow_unused=True)
            reach = any(g is not None for g in grads)
        loss = self.ce(self.classifier(fs), ys) + confusion
        self.opt_task.zero_grad()
        loss.backward()
        self.opt_task.step()
        return reach


torch.manual_seed(0)
da = DomainAdapt()
reach = []
for _ in range(2):
    xs, xt, ys = torch.randn(6, 8), torch.randn(6, 8), torch.randint(3, (6,))
    da.train_discriminator(xs, xt)
    reach.append(da.train_encoder(xs, ys, xt))
print("OK" if all(reach) else "HAZARD-OBSERVED")
