from contextlib import contextmanager

import torch
import torch.nn as nn


class Accelerator:
    def __init__(self, gradient_accumulation_steps=1):
        self.accumulation, self.count = gradient_accumulation_steps, 0

    def prepare(self, *things):
        return things if len(things) > 1 else things[0]

    @property
    def sync_gradients(self):
        return self.count % self.accumulation == 0

    @contextmanager
    def accumulate(self, model):
        self.count += 1
        yield

    def backward(self, loss):
        (loss / self.accumulation).backward()


def train(parts, accumulation):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    accelerator = Accelerator(accumulation)
    model, optimizer = accelerator.prepare(model, optimizer)
    for x, y in parts:
        with accelerator.accumulate(model):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                optimizer.step()
    return nn.utils.parameters_to_vector(model.parameters()).detach()


torch.manual_seed(0)
x, y = torch.randn(16, 5), torch.randn(16, 1)
whole = train([(x, y)], 1)
parts = train(list(zip(x.chunk(4), y.chunk(4))), 4)
print("OK" if torch.allclose(whole, parts, atol=1e-5) else "HAZARD-OBSERVED")
