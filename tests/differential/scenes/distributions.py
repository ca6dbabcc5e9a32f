"""Distributions: samples with gradient, scores, entropies, distributions that are kept."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, net, optimizer, update


def variational(a: Author) -> None:
    """A VAE that samples by hand or through a distribution."""
    a.define(f"""
        class Vae(nn.Module):
            def __init__(self):
                super().__init__()
                self.enc, self.mu, self.logvar, self.dec = {net(a)}, nn.Linear(4, 4), nn.Linear(4, 4), {net(a)}
                {a.maybe(0.3, "self.prior = torch.distributions.Normal(torch.zeros(4), torch.ones(4))")}
            def reparameterize(self, mu, logvar):
                std = {a.one("torch.exp(0.5 * logvar)", "logvar.mul(0.5).exp()", "logvar.mul(0.5).exp_()", "(0.5 * logvar).exp()")}
                {change(a, "std", 0.4)}
                {a.one("eps = torch.randn_like(std)", "eps = std.data.new(std.size()).normal_()", "eps = torch.empty_like(std).normal_()")}
                {a.one("return mu + eps * std", "return eps.mul(std).add_(mu)", "return eps.mul_(std).add_(mu)", "return torch.distributions.Normal(mu, std).rsample()", "return torch.distributions.Normal(mu, std).sample()")}
            def forward(self, x):
                h = F.relu(self.enc(x){a.maybe(0.3, ", inplace=True")})
                mu, logvar = self.mu(h), self.logvar(h)
                {change(a, "logvar", 0.3)}
                z = self.reparameterize(mu, logvar)
                {change(a, "z", 0.3)}
                return torch.sigmoid(self.dec(z)), mu, logvar
        """)
    kld = a.one("-0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())", "mu.pow(2).add_(logvar.exp()).mul_(-1).add_(1).add_(logvar).sum().mul_(-0.5)",
                "-0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()", "torch.distributions.kl_divergence(torch.distributions.Normal(mu, (0.5 * logvar).exp()), torch.distributions.Normal(0.0, 1.0)).sum()")  # fmt: skip
    a.code(f"""
        model = Vae()
        opt = {optimizer(a, "model.parameters()")}
        {a.maybe(0.3, "total = 0")}
        for step in range(2):
            x = torch.rand(4, 4)
            recon, mu, logvar = model(x)
            loss = F.binary_cross_entropy(recon.clamp(0.01, 0.99), x, reduction="sum") + {kld}
            {update(a, "opt")}
        """)


def cached(a: Author) -> None:
    """A distribution built once, from parameters, and used over several steps."""
    dist = a.one("torch.distributions.Normal(loc, scale)", "torch.distributions.Normal(loc, F.softplus(raw))", "torch.distributions.Independent(torch.distributions.Normal(loc, scale), 1)",
                 "torch.distributions.MultivariateNormal(loc, torch.diag(F.softplus(raw) + 0.1))", "torch.distributions.Categorical(logits=loc)", "torch.distributions.Bernoulli(logits=loc)", "torch.distributions.LogNormal(loc, scale)",
                 "torch.distributions.Laplace(loc, scale)", "torch.distributions.Gumbel(loc, scale)")  # fmt: skip
    inside = a.careful()
    a.code(f"""
        loc = torch.zeros(4, requires_grad=True)
        raw = torch.zeros(4, requires_grad=True)
        scale = {a.one("torch.ones(4)", "raw.exp()", "F.softplus(raw) + 0.1")}
        opt = {optimizer(a, "[loc, raw]")}
        dist = {dist}
        for step in range({a.one("2", "3")}):
            {a.one("scale = raw.exp()" + chr(10) + f"dist = {dist}") if inside else ""}
            sample = dist.sample({a.one("()", "(3,)", "torch.Size([2])")})
            logp = dist.log_prob(sample)
            {a.maybe(0.4, "entropy = dist.entropy()")}
            loss = -({a.one("logp", "logp * torch.ones_like(logp)", "logp - logp.detach().mean()")}).mean(){a.maybe(0.3, " - 0.01 * dist.entropy().mean()")}
            opt.zero_grad()
            loss.backward({a.maybe(0.1, "retain_graph=True")})
            {a.either("opt.step()", ("opt.step()", "pass"))}
        """)


def flow(a: Author) -> None:
    """A normalising flow: affine couplings, log determinants summed."""
    a.define(f"""
        class Coupling(nn.Module):
            def __init__(self, flip=False):
                super().__init__()
                self.flip = flip
                self.s, self.t = nn.Linear(2, 2), nn.Linear(2, 2)
            def forward(self, x):
                x0, x1 = {a.one("x[:, ::2], x[:, 1::2]", "x[:, :2], x[:, 2:]", "x.chunk(2, dim=1)")}
                if self.flip:
                    x0, x1 = x1, x0
                s, t = {a.one("torch.tanh(self.s(x0))", "self.s(x0)")}, self.t(x0)
                z0 = x0
                {a.either(("z1 = torch.exp(s) * x1 + t", "z1 = s.exp() * x1 + t"), ("x1 *= s.exp()" + chr(10) + "z1 = x1 + t", "z1 = torch.exp(s) * x1" + chr(10) + "z1 += t", "s.exp_()" + chr(10) + "z1 = s * x1 + t"))}
                if self.flip:
                    z0, z1 = z1, z0
                z = torch.cat([z0, z1], dim=1)
                return z, torch.sum(s, dim=1)
        """)
    a.code(f"""
        flows = nn.ModuleList([Coupling(flip=bool(i % 2)) for i in range(2)])
        prior = torch.distributions.Normal({a.one("torch.zeros(4), torch.ones(4)", "0.0, 1.0")})
        opt = {optimizer(a, "flows.parameters()")}
        for step in range(2):
            z = torch.randn(4, 4)
            log_det = torch.zeros(4)
            zs = [z]
            for flow in flows:
                z, ld = flow(z)
                log_det {a.one("+=", "= log_det +")} ld
                zs.append(z)
                {change(a, "z", 0.2)}
            loss = -(prior.log_prob({a.one("z", "zs[-1]")}).sum(1) + log_det).mean()
            {update(a, "opt")}
        """)


SCENES = (variational, cached, flow)
