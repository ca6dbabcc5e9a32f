import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
state = {'h': w * 1.0}
def step(v):
    state['h'] = torch.tanh(state['h'] * v)
    return state['h'].sum()
for v in x:
    step(v).backward()
