import torch


def random_cameras(n, radius):
    return torch.randn(n, 3, requires_grad=True) * radius


def project(points, cameras):
    return (points[None] - cameras[:, None]).norm(dim=-1)


torch.manual_seed(0)
points = torch.rand(12, 3)
truth = torch.randn(4, 3) * 2
observed = project(points, truth)
cameras = random_cameras(4, 2.0)
optimizer = torch.optim.Adam([cameras], lr=0.05)
for _ in range(5):
    optimizer.zero_grad()
    loss = (project(points, cameras) - observed).pow(2).mean()
    loss.backward()
    optimizer.step()
