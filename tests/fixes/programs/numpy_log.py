import torch, numpy as np
from torch import nn
torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
history, preds = [], []
for i in range(3):
    out = net(torch.randn(4, 2))
    loss = out.pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    history.append(loss.numpy())
    preds.append(out.cpu().numpy().ravel())
print(np.mean(history) >= 0 and "OK")
