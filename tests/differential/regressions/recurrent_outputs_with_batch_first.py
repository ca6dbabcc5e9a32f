import torch
from torch import nn

rnn = nn.GRU(4, 4, batch_first=True)
y, _ = rnn(torch.randn(2, 3, 4))
y = y.reshape(-1, 4)
y += 1.0
y.sum().backward()
rnn = nn.LSTM(4, 4, batch_first=True)
y, _ = rnn(torch.randn(2, 3, 4))
y += 1.0
y.sum().backward()
