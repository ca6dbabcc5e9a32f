import torch
from torch import nn


class KalmanCell(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.F = nn.Parameter(torch.eye(n) + 0.01 * torch.randn(n, n))
        self.H = nn.Parameter(torch.randn(m, n))
        self.log_q, self.log_r = nn.Parameter(torch.zeros(n)), nn.Parameter(torch.zeros(m))

    def predict(self, x, P):
        return self.F @ x, self.F @ P @ self.F.T + torch.diag(self.log_q.exp())

    def forward(self, z, state):
        x, P = self.predict(*state)
        S = self.H @ P @ self.H.T + torch.diag(self.log_r.exp())
        K = torch.linalg.solve(S, self.H @ P).T
        innovation = z - self.H @ x
        x = x + K @ innovation
        P = P - K @ self.H @ P
        P += P.T
        P = P / 2
        dist = torch.distributions.MultivariateNormal(torch.zeros(len(z)), S)
        return (x, P), dist.log_prob(innovation)


torch.manual_seed(0)
cell = KalmanCell(3, 2)
optimizer = torch.optim.Adam(cell.parameters(), lr=1e-2)
measurements = torch.randn(5, 2)
state, log_likelihood = (torch.zeros(3), torch.eye(3)), 0.0
for z in measurements.unbind(0):
    state, ll = cell(z, state)
    log_likelihood += ll
optimizer.zero_grad()
(-log_likelihood).backward()
optimizer.step()
