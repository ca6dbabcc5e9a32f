import torch
import torch.nn as nn


class BottleneckLSTMCell(nn.Module):
    def __init__(self, cin, hidden):
        super().__init__()
        self.W = nn.Conv2d(cin, cin, 3, padding=1, groups=cin)
        self.Wy = nn.Conv2d(cin + hidden, hidden, 1)
        self.Wi = nn.Conv2d(hidden, hidden, 3, padding=1, groups=hidden, bias=False)
        self.gates = nn.ModuleDict({k: nn.Conv2d(hidden, hidden, 1, bias=False) for k in ("i", "f", "c", "o")})
        self.relu = nn.ReLU6()

    def forward(self, x, h, c):
        x = self.W(x)
        i = self.Wy(torch.cat((x, h), 1))
        b = self.Wi(i)
        ci = torch.sigmoid(self.gates["i"](b))
        cf = torch.sigmoid(self.gates["f"](b))
        cc = cf * c + ci * self.relu(self.gates["c"](b))
        return torch.sigmoid(self.gates["o"](b)) * self.relu(cc), cc


class BottleneckLSTM(nn.Module):
    def __init__(self, cin, hidden, size, batch):
        super().__init__()
        self.cell = BottleneckLSTMCell(cin, hidden)
        self.hidden_state = torch.zeros(batch, hidden, *size)
        self.cell_state = torch.zeros(batch, hidden, *size)

    def detach_hidden(self):
        self.hidden_state = self.hidden_state.detach()
        self.cell_state = self.cell_state.detach()

    def forward(self, x):
        self.hidden_state, self.cell_state = self.cell(x, self.hidden_state, self.cell_state)
        return self.hidden_state


class VideoNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.base = nn.Sequential(nn.Conv2d(3, 6, 3, stride=2, padding=1), nn.BatchNorm2d(6), nn.ReLU(inplace=True))
        self.lstm = BottleneckLSTM(6, 4, (4, 4), batch=2)
        self.head = nn.Linear(4, classes)

    def detach_hidden(self):
        self.lstm.detach_hidden()

    def forward(self, x):
        return self.head(self.lstm(self.base(x)).mean((2, 3)))
