import numpy as np
import torch


def magnitude(signal):
    return torch.fft.rfft(signal).abs()


def spectral_distance(a, b):
    return (magnitude(a) - magnitude(b)).pow(2).mean()
