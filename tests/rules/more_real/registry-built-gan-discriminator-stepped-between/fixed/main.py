import torch

import model  # noqa: F401
import nets  # noqa: F401
from registry import MODELS

config = dict(
    type="StaticGAN",
    generator=dict(type="DenseGenerator", latent=3, out=5),
    discriminator=dict(type="DenseDiscriminator", inp=5),
)

torch.manual_seed(0)
gan = MODELS.build(config)
for _ in range(2):
    print(gan.train_iter(torch.randn(6, 5)))
