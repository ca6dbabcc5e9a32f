import numpy as np
import torch


def magnitude(signal):
    return np.abs(np.fft.rfft(signal.detach().cpu().numpy()))


def spectral_distance(a, b):
    return torch.tensor(np.mean((magnitude(a) - magnitude(b)) ** 2), dtype=torch.float32)
