import torch
from torch import nn
from torch.autograd import Variable


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3)
        self.criterion = nn.NLLLoss()

    def forward(self, x, y):
        return self.criterion(torch.log_softmax(self.fc(x), dim=1), y)


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = model(x, y)
    loss.backward()
    optimizer.step()
    return float(loss)


torch.manual_seed(0)
model = Classifier()
start = model.fc.weight.detach().clone()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
history = [step(model, optimizer, torch.randn(4, 6), torch.randint(3, (4,))) for _ in range(3)]
print("HAZARD-OBSERVED" if torch.equal(start, model.fc.weight) else "OK")
