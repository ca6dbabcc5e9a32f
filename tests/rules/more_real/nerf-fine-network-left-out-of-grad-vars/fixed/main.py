import torch

from render import create_nerf, render

torch.manual_seed(0)
kwargs, optimizer = create_nerf({"netwidth": 16, "netwidth_fine": 16, "N_importance": 8, "lrate": 5e-3})
start = kwargs["network_fine"].out.weight.detach().clone()
for step in range(3):
    rays, target = torch.randn(6, 5, 3), torch.rand(6, 3)
    coarse, fine = render(rays, **kwargs)
    optimizer.zero_grad()
    loss = (coarse - target).pow(2).mean()
    if fine is not None:
        loss = loss + (fine - target).pow(2).mean()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, kwargs["network_fine"].out.weight.detach()) else "OK")
