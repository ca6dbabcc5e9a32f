import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument('--debug', action='store_true')
args = parser.parse_args()
if args.debug:
    torch.autograd.set_detect_anomaly(True)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), .1)
for _ in range(3):
    opt.zero_grad()
    model(torch.randn(4, 3)).square().mean().backward()
    opt.step()
print('OK')
