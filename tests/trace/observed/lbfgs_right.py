import torch

torch.manual_seed(0)
w = torch.randn(5, requires_grad=True)
x = torch.randn(10, 5)
y = torch.randn(10)
opt = torch.optim.LBFGS([w], lr=0.5, max_iter=8, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    l = ((x @ w).tanh() - y).pow(2).mean()
    l.backward()
    return l


for i in range(3):
    print(opt.step(closure).item().hex())
