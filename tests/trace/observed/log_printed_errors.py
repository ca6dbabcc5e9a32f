import logging
import sys
import traceback

import torch

logging.basicConfig(stream=sys.stdout, format="%(message)s")
x = torch.ones(3, requires_grad=True)
for k in range(2):
    y = x.exp()
    y.add_(1)  # observed: AGH301
    try:
        y.sum().backward()
    except RuntimeError as e:
        logging.exception("failed %d", k)
        print("".join(traceback.format_exception(e)))


def deep():
    traceback.print_stack(file=sys.stdout, limit=2)
    print([f.name for f in traceback.extract_tb(sys.exc_info()[2])] if sys.exc_info()[2] else None)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        deep()
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


F.apply(x).sum().backward()
