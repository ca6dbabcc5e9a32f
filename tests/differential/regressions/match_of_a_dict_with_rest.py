import torch


def scaled(mode, out):
    match mode:
        case {"kind": "sum", **rest}:
            return out.sum() * rest.get("scale", 1.0)
    return None


scaled({"kind": "sum", "scale": 0.1}, torch.ones(4)).backward()
