import torch

torch.manual_seed(0)
img = torch.nn.Parameter(torch.rand(2, 3))
tgt = torch.rand(2, 3)
o = torch.optim.LBFGS([img], max_iter=5)
for i in range(3):

    def closure():
        img.data.clamp_(0, 1)
        o.zero_grad()
        l = (img.exp() - tgt).pow(2).sum()
        l.backward()
        return l

    print(o.step(closure).item().hex())
img.data.clamp_(0, 1)
