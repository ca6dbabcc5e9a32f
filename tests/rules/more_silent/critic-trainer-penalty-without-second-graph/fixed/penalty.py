import torch


class GradientPenalty:
    def __init__(self, weight, target=1.0):
        self.weight, self.target = weight, target

    def __call__(self, critic, real, fake):
        mix = torch.rand(len(real), 1)
        points = (mix * real + (1 - mix) * fake).requires_grad_(True)
        scores = critic(points)
        slope, = torch.autograd.grad(scores, points, grad_outputs=torch.ones_like(scores), create_graph=True)
        return self.weight * (slope.norm(2, dim=1) - self.target).pow(2).mean()
