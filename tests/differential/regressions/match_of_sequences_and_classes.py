from dataclasses import dataclass

import torch


@dataclass
class Weighted:
    weight: float
    name: str


def chosen(mode, w):
    match mode:
        case ("weighted", float(scale)):
            return scale * w.exp()
        case [first, *others, last]:
            return chosen(last, w) if others else chosen(first, w)
        case Weighted(scale, name="plain"):
            return w * scale
        case _:
            return w.sigmoid()


w = torch.ones(4, requires_grad=True)
plain = chosen(Weighted(2.0, "plain"), w)
plain.add_(1.0)
plain.sum().backward()
list_ = chosen(["x", "y", ("weighted", 0.5)], w)
list_.add_(1.0)
list_.sum().backward()
other = chosen(Weighted(2.0, "other"), w)
other.mul_(2.0)
other.sum().backward()
