import torch

torch.manual_seed(0)
for i in range(3):
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    if i == 1:
        y.add_(1)  # observed: AGH301
    try:
        y.sum().backward()
    except RuntimeError:
        print("skipped", i)
        continue
    print(i)
