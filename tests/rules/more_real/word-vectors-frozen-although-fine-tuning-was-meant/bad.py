import torch
from torch import nn


class TextCNN(nn.Module):
    def __init__(self, vectors, classes, widths=(2, 3)):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(vectors)
        self.convs = nn.ModuleList(nn.Conv1d(vectors.size(1), 6, w) for w in widths)
        self.fc = nn.Linear(6 * len(widths), classes)

    def forward(self, tokens):
        x = self.embedding(tokens).transpose(1, 2)
        return self.fc(torch.cat([c(x).relu().amax(2) for c in self.convs], dim=1))


def load_vectors(path=None):
    table = {f"w{i}": [float((i * j) % 7) for j in range(8)] for i in range(40)}
    return torch.tensor([table[f"w{i}"] for i in range(40)])


torch.manual_seed(0)
model = TextCNN(load_vectors(), classes=3)
rest = [p for n, p in model.named_parameters() if not n.startswith("embedding")]
optimizer = torch.optim.Adam(
    [{"params": model.embedding.parameters(), "lr": 1e-4}, {"params": rest, "lr": 1e-3}]
)
start = model.embedding.weight.detach().clone()
for _ in range(3):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randint(40, (4, 9))), torch.randint(3, (4,))).backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, model.embedding.weight.detach()) else "OK")
