"""Generators and discriminators: two updates a step, pools of old images, penalties, frozen critics."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import backward, change, net, optimizer


def image_pool(a: Author) -> None:
    """A CycleGAN-like step with pools of images made before."""
    a.define(f"""
        class Pool:
            def __init__(self, size):
                self.size = size
                self.images = []
            def query(self, images):
                if self.size == 0:
                    return images
                out = []
                for image in images:
                    image = {a.either(("image.detach().unsqueeze(0)", "torch.unsqueeze(image.data, 0)"), "image.unsqueeze(0)")}
                    if len(self.images) < self.size:
                        self.images.append({a.one("image", "image", "image.clone()")})
                        out.append(image)
                    else:
                        old = self.images[{a.one("0", "-1")}].clone()
                        self.images[0] = image
                        out.append(old)
                return torch.cat(out, 0)
        """)
    a.code(f"""
        gen, dis = {net(a)}, {net(a)}
        opts = {{"g": {optimizer(a, "gen.parameters()")}, "d": {optimizer(a, "dis.parameters()")}}}
        pool = Pool({a.one("0", "4", "6", "50")})
        for step in range({a.one("2", "3")}):
            real = torch.randn(4, 4)
            fake = gen(real)
            {change(a, "fake", 0.3)}
            {a.maybe(0.4, "dis.requires_grad_(False)")}
            g_loss = {a.one("F.mse_loss(dis(fake), torch.ones(4, 4))", "-dis(fake).mean()", "dis(fake).mean() + 10 * F.l1_loss(fake, real)")}
            {a.maybe(0.8, "opts['g'].zero_grad()")}
            {a.either("g_loss.backward()", ("g_loss.backward(retain_graph=True)", "pass"))}
            opts["g"].step()
            {a.either("dis.requires_grad_(True)", ("pass", "dis.requires_grad_(True)"))}
            old = pool.query({a.one("fake", "fake.detach()")})
            d_loss = 0.5 * (F.mse_loss(dis(real), torch.ones(4, 4)) + F.mse_loss(dis(old), torch.zeros(4, 4)))
            opts["d"].zero_grad()
            {backward(a, "d_loss")}
            opts["d"].step()
        """)


def two_updates(a: Author) -> None:
    """A trainer with one method per network, called in turn."""
    order = a.either(
        "self.update_d(real)\nself.update_g(real)",
        ("self.update_g(real)\nself.update_d(real)", "self.update_d(real)\nself.forward(real)\nself.update_g(real)"),
    )
    a.define(f"""
        class Gan:
            def __init__(self):
                self.gen, self.dis = {net(a)}, {net(a)}
                self.opt_g = {optimizer(a, "self.gen.parameters()")}
                self.opt_d = {optimizer(a, "self.dis.parameters()")}
                self.optimizers = [self.opt_g, self.opt_d]
            def set_requires_grad(self, nets, flag=False):
                if not isinstance(nets, list):
                    nets = [nets]
                for net in nets:
                    if net is not None:
                        for param in net.parameters():
                            param.requires_grad = flag
            def forward(self, real):
                self.fake = self.gen(real)
            def update_d(self, real):
                {a.maybe(0.5, "self.set_requires_grad([self.dis], True)")}
                self.opt_d.zero_grad()
                fake = {a.either(("self.fake.detach()", "self.fake.data"), ("self.fake", "self.fake.clone()"))}
                self.loss_d = self.dis(fake).mean() - self.dis(real).mean()
                self.loss_d.backward()
                self.opt_d.step()
                {a.maybe(0.3, "for p in self.dis.parameters():" + chr(10) + "    p.data.clamp_(-0.01, 0.01)")}
            def update_g(self, real):
                {a.maybe(0.5, "self.set_requires_grad(self.dis, False)")}
                self.opt_g.zero_grad()
                self.loss_g = -self.dis(self.fake).mean()
                {a.maybe(0.3, "self.loss_g = self.loss_g + F.l1_loss(self.fake, real)")}
                self.loss_g.backward()
                self.opt_g.step()
            def optimize(self, real):
                self.forward(real)
                {change(a, "self.fake", 0.2)}
                {order}
        """)
    a.code(f"""
        gan = Gan()
        {a.maybe(0.3, "schedulers = [torch.optim.lr_scheduler.StepLR(o, 1) for o in gan.optimizers]")}
        for step in range({a.one("1", "2")}):
            gan.optimize(torch.randn(4, 4))
            losses = {{name: getattr(gan, "loss_" + name){a.one(".item()", ".detach()", "")} for name in ("g", "d")}}
        {a.either("", ("gan.loss_g.backward()", "(gan.loss_d + losses['g']).backward()", "gan.fake.sum().backward()"))}
        """)


def gradient_penalty(a: Author) -> None:
    """WGAN-GP or R1: a loss of a gradient."""
    create = a.either("create_graph=True", ("retain_graph=True", "create_graph=False", "create_graph=True"))
    a.define(f"""
        def penalty(dis, real, fake, center=1.0):
            alpha = torch.rand(4, 1)
            mixed = {a.either("(alpha * real + (1 - alpha) * fake.detach()).requires_grad_(True)", ("(alpha * real + (1 - alpha) * fake).requires_grad_(True)", "alpha * real + (1 - alpha) * fake", "alpha * real + (1 - alpha) * fake.detach()"))}
            score = dis(mixed)
            {change(a, "score", 0.2)}
            grads = torch.autograd.grad({a.one("outputs=score, inputs=mixed, grad_outputs=torch.ones_like(score)", "score, mixed, torch.ones(score.size())", "score.sum(), mixed", "outputs=[score.sum()], inputs=[mixed]")}, {create}, only_inputs=True)[0]
            grads = grads.view(grads.size(0), -1)
            return {a.one("((grads.norm(2, dim=1) - center) ** 2).mean()", "(grads.norm(2, 1) - center).pow(2).mean()", "grads.pow(2).sum(1).mean()")}
        """)
    a.code(f"""
        gen, dis = {net(a)}, nn.Sequential(nn.Linear(4, 4), {a.one("nn.Tanh()", "nn.Softplus()", "nn.LeakyReLU(0.2)", "nn.ReLU(inplace=True)")}, nn.Linear(4, 1))
        g_opt, d_opt = {optimizer(a, "gen.parameters()")}, {optimizer(a, "dis.parameters()")}
        for step in range(2):
            for _ in range({a.one("1", "2")}):
                real, z = torch.randn(4, 4), torch.randn(4, 4)
                {a.one("with torch.no_grad():" + chr(10) + "    fake = gen(z)", "fake = gen(z)", "fake = gen(z).detach()")}
                d_opt.zero_grad()
                loss = dis(fake{a.either(".detach()", "")}).mean() - dis(real).mean()
                gp = penalty(dis, real, fake)
                {a.one("(loss + 10 * gp).backward()", "loss.backward()" + chr(10) + "gp.backward()", "loss.backward(retain_graph=True)" + chr(10) + "gp.backward()", "loss += 10 * gp" + chr(10) + "loss.backward()")}
                d_opt.step()
            g_opt.zero_grad()
            {a.either("g_loss = -dis(gen(z)).mean()", "g_loss = -dis(fake).mean()")}
            g_loss.backward()
            g_opt.step()
        """)


SCENES = (image_pool, two_updates, gradient_penalty)
