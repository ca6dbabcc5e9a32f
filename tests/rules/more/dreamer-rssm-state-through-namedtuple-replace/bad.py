from collections import namedtuple

import torch
from torch import nn

State = namedtuple("State", "deter stoch")


class RSSM(nn.Module):
    def __init__(self, deter=8, stoch=4, act=2):
        super().__init__()
        self.cell = nn.GRUCell(stoch + act, deter)
        self.post = nn.Linear(deter + 5, 2 * stoch)
        self.decode = nn.Linear(deter + stoch, 5)
        self.sizes = State(deter, stoch)

    def initial(self, n):
        return State(*(torch.zeros(n, s) for s in self.sizes))

    def observe(self, obs, act, state):
        deter = self.cell(torch.cat([state.stoch, act], -1), state.deter)
        mean, std = self.post(torch.cat([deter, obs], -1)).chunk(2, -1)
        return state._replace(deter=deter, stoch=mean + nn.functional.softplus(std) * torch.randn_like(std))


class Trainer:
    def __init__(self, n=3):
        self.model = RSSM()
        self.opt = torch.optim.Adam(self.model.parameters(), 1e-3, eps=1e-5)
        self.state = self.model.initial(n)

    def train(self, sequence):
        loss, state = 0, self.state
        for obs, act in sequence:
            state = self.model.observe(obs, act, state)
            loss = loss + (self.model.decode(torch.cat(state, -1)) - obs).square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.state = state
        return float(loss.detach())


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer()
    for _ in range(3):
        trainer.train([(torch.randn(3, 5), torch.randn(3, 2)) for _ in range(4)])
