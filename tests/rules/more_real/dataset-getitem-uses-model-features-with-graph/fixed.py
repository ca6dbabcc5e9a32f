import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class FeatureDataset(Dataset):
    """Features are computed once and then served from memory."""

    def __init__(self, encoder, inputs, labels):
        self.labels = labels
        with torch.no_grad():
            self.features = [encoder(x) for x in inputs]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


def collate(items):
    xs, ys = zip(*items)
    return torch.stack(xs), torch.stack(ys)


torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
head = nn.Linear(4, 2)
ds = FeatureDataset(encoder, torch.randn(4, 3), torch.randint(0, 2, (4,)))
loader = DataLoader(ds, batch_size=2, collate_fn=collate)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(head(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
