import torch


def main():
    w = torch.randn(4, 3, requires_grad=True)
    h = w * 2
    row = torch.tensor(1)
    part = h[row]
    grown = part.exp()
    h.add_(1)
    column = h[:, row]
    column.mul_(2)
    h[row] = 0
    grown.sum().backward()
    part.mul_(2)
    h.sum().backward()


main()
