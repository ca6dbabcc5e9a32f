import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")


class LitModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=1.0)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0 / (step + 1))
        return {"optimizer": optimizer, "lr_scheduler": schedule}

    def training_step(self, batch):
        return self.layer(batch).pow(2).mean()


class Fitter:
    def fit(self, module, batches):
        config = module.configure_optimizers()
        optimizer, scheduler = config["optimizer"], config["lr_scheduler"]
        used = []
        for batch in batches:
            scheduler.step()
            optimizer.zero_grad()
            module.training_step(batch).backward()
            used.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
        return used


torch.manual_seed(0)
used = Fitter().fit(LitModel(), [torch.randn(3, 2) for _ in range(3)])
print("OK" if used[0] == 1.0 else "HAZARD-OBSERVED")
