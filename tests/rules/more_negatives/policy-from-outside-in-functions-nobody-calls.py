"""Functions of a library: what samples of a policy, its parameters and its gradients are, only callers know."""

import copy

import torch
from torch import distributions


def episode(env, policy):
    state, total, done = env.reset(), 0.0, False
    while not done:
        chosen, _ = policy(torch.as_tensor(state).unsqueeze(0))
        state, reward, done = env.step(chosen.sample().cpu().numpy()[0])
        total += reward
    return total


class Learner:
    def __init__(self, controller, lr):
        self.controller = controller
        self.parameters = list(controller.parameters())
        self.optimizer = torch.optim.RMSprop(self.parameters, lr)

    def train(self, batch, taken, values):
        outputs = []
        for t in range(batch.length):
            outputs.append(self.controller.forward(batch, t=t))
        likely = torch.stack(outputs, dim=1)
        chosen = torch.gather(likely, dim=1, index=taken).squeeze(1)
        loss = -(values.detach() * torch.log(chosen)).mean()
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()


class Moving(dict):
    """Copies are made with each tensor moved on its way."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def get(self, key, default=None):
        return super().get(key, default)


def moved(thing, dtype):
    return copy.deepcopy(thing, Moving(dtype))


if __name__ == "__main__":
    loc = torch.tensor(0.0, requires_grad=True)
    here = distributions.Normal(loc, 1.0)
    gradient = torch.autograd.grad(here.rsample().pow(2), [loc])
    assert len(gradient) == 1 and moved([1, 2], torch.float64) == [1, 2]
print("OK")
