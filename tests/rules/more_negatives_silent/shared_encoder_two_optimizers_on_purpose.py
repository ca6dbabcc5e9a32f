import itertools

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
encoder, decoder, classifier = nn.Linear(6, 4), nn.Linear(4, 6), nn.Linear(4, 2)
recon_opt = torch.optim.Adam(itertools.chain(encoder.parameters(), decoder.parameters()), lr=1e-3)
class_opt = torch.optim.Adam(itertools.chain(encoder.parameters(), classifier.parameters()), lr=1e-3)
for step in range(3):
    x, y = torch.randn(5, 6), torch.randint(2, (5,))
    recon_opt.zero_grad()
    F.mse_loss(decoder(encoder(x).tanh()), x).backward()
    recon_opt.step()
    class_opt.zero_grad()
    F.cross_entropy(classifier(encoder(x).tanh()), y).backward()
    class_opt.step()
assert encoder.weight.grad is not None
print("OK")
