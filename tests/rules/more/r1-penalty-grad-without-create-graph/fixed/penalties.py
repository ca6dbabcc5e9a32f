import torch


def r1_penalty(critic, real):
    scores = critic(real)
    grads, = torch.autograd.grad(outputs=scores.sum(), inputs=real, create_graph=True)
    return grads.square().sum(dim=(1, 2, 3)).mean()
