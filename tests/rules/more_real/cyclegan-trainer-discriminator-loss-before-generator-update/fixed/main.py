import torch

from cycle_gan_model import CycleGANModel

torch.manual_seed(0)
model = CycleGANModel()
clean = []
for epoch in range(2):
    for batch in range(2):
        model.set_input({"A": torch.randn(3, 4), "B": torch.randn(3, 4)})
        clean.append(model.optimize_parameters())
print("OK" if all(clean) else "HAZARD-OBSERVED")
