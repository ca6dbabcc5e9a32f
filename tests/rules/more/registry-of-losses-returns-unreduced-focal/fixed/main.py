import torch

from losses import build
from trainer import Trainer

config = {"loss": {"name": "focal", "gamma": 2.0}, "optim": {"name": "SGD", "lr": 0.1}, "epochs": 2}

torch.manual_seed(0)
net = torch.nn.Linear(6, 3)
loader = [(torch.randn(4, 6), torch.randint(3, (4,))) for _ in range(2)]
trainer = Trainer(net, build(**config["loss"]), config["optim"])
for epoch in range(config["epochs"]):
    print(trainer.run_epoch(loader))
