import torch

torch.manual_seed(0)


def init(fan_in, fan_out):
    bound = (6 / (fan_in + fan_out)) ** 0.5
    return torch.empty(fan_in, fan_out).uniform_(-bound, bound).requires_grad_()


params = {f"W{i}": init(a, b) for i, (a, b) in enumerate([(3, 8), (8, 8), (8, 1)])}
rates = {"W0": 0.01, "W1": 0.02, "W2": 0.05}


def forward(x):
    *hidden, last = params.values()
    for w in hidden:
        x = torch.tanh(x @ w)
    return x @ last


def descend():
    for name, w in params.items():
        g = w.grad
        for row in range(w.size(0)):
            if g[row].norm() > 0:
                w[row] -= rates[name] * g[row]
        w.grad = None


x = torch.randn(32, 3)
y = x.sum(1, keepdim=True).sin()
for i in range(3):
    loss = (forward(x) - y).pow(2).mean()
    loss.backward()
    descend()
    if i % 2 == 0:
        print("step", i, "loss %.4f" % loss)
