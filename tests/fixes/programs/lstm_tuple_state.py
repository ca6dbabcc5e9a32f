import torch
import torch.nn as nn

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 7, num_layers=2, batch_first=True)
        self.out = nn.Linear(7, 3)

    def init_hidden(self, n):
        return (torch.zeros(2, n, 7), torch.zeros(2, n, 7))

    def forward(self, x, hidden):
        y, hidden = self.lstm(x, hidden)
        return self.out(y), hidden

torch.manual_seed(0)
net = Tagger()
opt = torch.optim.RMSprop(net.parameters())
hidden = net.init_hidden(4)
for i in range(3):
    x = torch.randn(4, 6, 5)
    logits, hidden = net(x, hidden)
    loss = nn.functional.cross_entropy(logits.reshape(-1, 3), torch.randint(0, 3, (24,)))
    net.zero_grad()
    loss.backward()
    opt.step()
print("OK")
