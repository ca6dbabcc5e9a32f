import torch

BATCH = 8
DEBUG = False
torch.autograd.set_detect_anomaly(True)
