import torch
from torch import nn
torch.manual_seed(0)
rnn = nn.RNNCell(3, 4); head = nn.Linear(4, 1)
optimizer = torch.optim.Adam(list(rnn.parameters()) + list(head.parameters()))
memory = {"hidden": torch.zeros(2, 4), "steps": 0}
for batch in torch.randn(4, 2, 3):
    memory["hidden"] = rnn(batch, memory["hidden"])
    memory["steps"] += 1
    loss = head(memory["hidden"]).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
assert memory["steps"] == 4
print("OK")
