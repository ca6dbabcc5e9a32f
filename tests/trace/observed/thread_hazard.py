import threading

import torch


def work():
    w = torch.ones(4, requires_grad=True)
    h = w * 2
    y = h.exp()
    y.add_(1)  # observed: AGH301
    try:
        y.sum().backward()
    except RuntimeError:
        print("caught")


t = threading.Thread(target=work)
t.start()
t.join()
