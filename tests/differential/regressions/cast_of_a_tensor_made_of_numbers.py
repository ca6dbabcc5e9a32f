import torch


def main():
    fake = torch.randn(4, 4)
    fake = torch.tensor(fake.tolist())
    fake.T.add_(fake.to(torch.float32))


main()
