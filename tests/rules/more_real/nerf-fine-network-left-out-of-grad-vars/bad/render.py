import torch
import torch.nn as nn


class NeRF(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.pts = nn.ModuleList([nn.Linear(3, width), nn.Linear(width, width)])
        self.out = nn.Linear(width, 4)

    def forward(self, x):
        for layer in self.pts:
            x = torch.relu(layer(x))
        return self.out(x)


def create_nerf(args):
    model = NeRF(args["netwidth"])
    grad_vars = list(model.parameters())
    model_fine = None
    if args["N_importance"] > 0:
        model_fine = NeRF(args["netwidth_fine"])
    optimizer = torch.optim.Adam(params=grad_vars, lr=args["lrate"], betas=(0.9, 0.999))
    return {"network_fn": model, "network_fine": model_fine}, optimizer


def composite(raw):
    alpha = 1 - torch.exp(-nn.functional.softplus(raw[..., 3]))
    weights = alpha * torch.cumprod(torch.cat([torch.ones(len(alpha), 1), 1 - alpha + 1e-10], -1), -1)[:, :-1]
    return (weights[..., None] * torch.sigmoid(raw[..., :3])).sum(-2)


def render(rays, network_fn, network_fine=None):
    coarse = composite(network_fn(rays))
    fine = composite(network_fine(rays)) if network_fine is not None else None
    return coarse, fine
