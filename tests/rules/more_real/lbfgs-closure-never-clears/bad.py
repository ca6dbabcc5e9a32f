import torch

torch.manual_seed(0)
points = torch.linspace(-1, 1, 40).unsqueeze(1)
values = torch.sin(3 * points)


class Curve(torch.nn.Module):
    def __init__(self, degree):
        super().__init__()
        self.coefficients = torch.nn.Parameter(torch.zeros(degree + 1, 1))
        self.degree = degree

    def forward(self, x):
        basis = torch.cat([x**k for k in range(self.degree + 1)], dim=1)
        return basis @ self.coefficients


def fit(curve, x, y, iterations=4):
    optimizer = torch.optim.LBFGS(curve.parameters(), lr=0.5, max_iter=5)
    clean = []

    def closure():
        loss = torch.nn.functional.mse_loss(curve(x), y)
        fresh = torch.autograd.grad(loss, curve.coefficients, retain_graph=True)[0]
        loss.backward()
        clean.append(torch.allclose(fresh, curve.coefficients.grad, atol=1e-6))
        return loss

    for _ in range(iterations):
        optimizer.step(closure)
    return all(clean)


print("OK" if fit(Curve(4), points, values) else "HAZARD-OBSERVED")
