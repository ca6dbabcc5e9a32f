import torch


def orthogonality(weight):
    gram = weight @ weight.t()
    return (gram - torch.eye(len(gram))).pow(2).sum()


class Penalty:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, model):
        total = 0.0
        for name, p in model.named_parameters():
            if p.ndim == 2:
                total += float(orthogonality(p))
        return self.scale * total
