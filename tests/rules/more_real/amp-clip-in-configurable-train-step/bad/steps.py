import torch
import torch.nn as nn


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.lr)
        self.scaler = torch.amp.GradScaler("cpu", enabled=cfg.use_amp, init_scale=2.0**16) if cfg.use_amp else None

    def backward(self, loss):
        if self.scaler is not None:
            self.scaler.scale(loss).backward()
        else:
            loss.backward()

    def apply(self):
        if self.cfg.clip_norm > 0:
            total = nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip_norm)
            print("norm", float(total))
        if self.scaler is not None:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.optimizer.step()

    def run(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cpu", enabled=False):
                loss = nn.functional.mse_loss(self.model(x), y)
            self.backward(loss)
            self.apply()
