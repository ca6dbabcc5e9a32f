import torch
x = torch.randn(3, 4, requires_grad=True)
y = x * 2
for row in y:
    row -= row.mean()
y.sum().backward()
print("OK")
