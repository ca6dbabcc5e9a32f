"""Finds PyTorch autograd hazards by running the program on an abstract autograd machine."""

__version__ = "0.1.0"
