import torch


def reduce_dict(loss_dict, world_size=1):
    names = sorted(loss_dict)
    values = torch.tensor([loss_dict[k].item() for k in names])
    if world_size > 1:
        values = values / world_size
    return dict(zip(names, values))
