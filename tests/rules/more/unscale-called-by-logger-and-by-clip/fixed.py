import torch
from torch import nn


class AmpStepper:
    def __init__(self, optimizer, params, clip):
        self.optimizer, self.params, self.clip = optimizer, list(params), clip
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
        self.norms = []

    def log_norm(self):
        self.scaler.unscale_(self.optimizer)
        self.norms.append(torch.stack([p.grad.norm() for p in self.params]).norm().item())

    def clip_norm(self):
        nn.utils.clip_grad_norm_(self.params, self.clip)

    def __call__(self, loss):
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.log_norm()
        self.clip_norm()
        self.scaler.step(self.optimizer)
        self.scaler.update()


torch.manual_seed(0)
net = nn.Linear(4, 1)
stepper = AmpStepper(torch.optim.SGD(net.parameters(), lr=0.1), net.parameters(), clip=1.0)
for x in torch.randn(3, 8, 4).unbind():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = net(x).float().pow(2).mean()
    stepper(loss)
print(stepper.norms)
