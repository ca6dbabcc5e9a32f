import torch
w = torch.zeros(3, 3, requires_grad=True)
w += 0.1 * torch.eye(3)   # 初始化
w[0, 1] = 2.0
loss = (w @ torch.ones(3)).sum()
loss.backward()
assert w.grad is not None
print("OK")
