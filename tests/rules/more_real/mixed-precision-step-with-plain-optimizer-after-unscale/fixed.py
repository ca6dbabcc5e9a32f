import torch
import torch.nn as nn


class AmpStepper:
    def __init__(self, optimizer, enabled=True, clip=None):
        self.optimizer, self.clip = optimizer, clip
        self.scaler = torch.amp.GradScaler("cpu", enabled=enabled, init_scale=1024.0)

    def __call__(self, loss, parameters):
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        if self.clip is not None:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(parameters, self.clip)
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.scaler.step(self.optimizer)
            self.scaler.update()


torch.manual_seed(0)
net = nn.Linear(3, 1)
stepper = AmpStepper(torch.optim.SGD(net.parameters(), lr=1e-3))
moves = []
for _ in range(2):
    x, y = torch.randn(8, 3), torch.randn(8, 1)
    loss = nn.functional.mse_loss(net(x), y)
    norm = torch.autograd.grad(loss, net.weight, retain_graph=True)[0].norm().item()
    before = net.weight.detach().clone()
    stepper(loss, net.parameters())
    moves.append((net.weight.detach() - before).norm().item() <= 1e-3 * norm * 1.01)
print("OK" if all(moves) else "HAZARD-OBSERVED")
