import torch
from torch import nn

class LitGAN(nn.Module):
    """仿 Lightning 的手动优化"""
    automatic_optimization = False

    def __init__(self):
        super().__init__()
        self.generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
        self.discriminator = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
        self._optimizers = self.configure_optimizers()

    def configure_optimizers(self):
        g = torch.optim.Adam(self.generator.parameters(), lr=1e-3)
        d = torch.optim.Adam(self.discriminator.parameters(), lr=1e-3)
        return g, d

    def optimizers(self):
        return self._optimizers

    def manual_backward(self, loss):
        loss.backward()

    def training_step(self, batch, batch_idx):
        opt_g, opt_d = self.optimizers()
        z = torch.randn(batch.size(0), 4)
        fake = self.generator(z)
        bce = nn.functional.binary_cross_entropy_with_logits
        d_real = self.discriminator(batch)
        d_fake = self.discriminator(fake)
        d_loss = bce(d_real, torch.ones_like(d_real)) + bce(d_fake, torch.zeros_like(d_fake))
        g_loss = bce(d_fake, torch.ones_like(d_fake))
        # 判别器
        opt_d.zero_grad()
        self.manual_backward(d_loss)
        opt_d.step()
        # 生成器
        opt_g.zero_grad()
        self.manual_backward(g_loss)
        opt_g.step()

torch.manual_seed(0)
lit = LitGAN()
for i in range(2):
    lit.training_step(torch.randn(5, 6), i)
print("OK")
