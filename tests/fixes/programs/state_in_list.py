import torch, torch.nn as nn
torch.manual_seed(0)
cells = nn.ModuleList([nn.GRUCell(3, 3), nn.GRUCell(3, 3)])
opt = torch.optim.SGD(cells.parameters(), lr=.1)
states = [torch.zeros(2, 3) for _ in cells]
for t in range(3):
    x = torch.randn(2, 3)
    for k, cell in enumerate(cells):
        states[k] = cell(x, states[k])
        x = states[k]
    loss = x.pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
print("OK")
