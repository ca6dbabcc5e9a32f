import torch

from mappo import Learner

torch.manual_seed(0)
learner = Learner(agents=2, obs=3, actions=4)
for _ in range(2):
    learner.update(torch.randn(8, 2, 3), torch.randint(4, (8, 2)), torch.randn(8, 2))
