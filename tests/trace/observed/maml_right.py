import torch

torch.manual_seed(0)
w = torch.randn(3, 1, requires_grad=True)
opt = torch.optim.Adam([w])
for it in range(3):
    opt.zero_grad()
    tot = 0
    for task in range(2):
        x, y = torch.randn(5, 3), torch.randn(5, 1)
        fast = w
        for k in range(2):
            l = ((x @ fast) - y).pow(2).mean()
            (g,) = torch.autograd.grad(l, fast, create_graph=True)
            fast = fast - 0.1 * g
        tot = tot + (torch.randn(5, 3) @ fast).pow(2).mean()
    tot.backward()
    opt.step()
    print(tot.item().hex())
