import torch
from torch import nn


class AmpStepper:
    def __init__(self, model, optimizer, clip=1.0):
        self.model, self.optimizer, self.clip = model, optimizer, clip
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def __call__(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_value_(self.model.parameters(), self.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()


def run(clip):
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    stepper = AmpStepper(model, torch.optim.SGD(model.parameters(), lr=0.1), clip)
    for _ in range(2):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
            loss = (model(torch.randn(5, 3)) - 0.2).pow(2).mean() * 0.1
        stepper(loss)
    return model.weight.detach()


print("OK" if torch.allclose(run(1.0), run(1e9), atol=1e-4) else "HAZARD-OBSERVED")
