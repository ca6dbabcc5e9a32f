"""Diffusion models: schedules in buffers, noise predicted, averages of weights, guidance by gradients."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, net, optimizer, update


def training(a: Author) -> None:
    """A noise prediction network with its schedule and an average of its weights."""
    a.define(f"""
        def extract(values, t, shape):
            return values.gather(-1, t).reshape(t.shape[0], *((1,) * (len(shape) - 1)))
        class Diffusion(nn.Module):
            def __init__(self, model, steps=4):
                super().__init__()
                self.model, self.steps = model, steps
                betas = torch.linspace(0.1, 0.2, steps)
                alphas = 1.0 - betas
                bars = torch.cumprod(alphas, dim=0)
                {a.maybe(0.3, "alphas.sub_(0.01)")}
                register = functools.partial(self.register_buffer, persistent=False)
                register("sqrt_bars", torch.sqrt(bars))
                {a.one("register('rest', torch.sqrt(1.0 - bars))", "self.rest = nn.Parameter(torch.sqrt(1.0 - bars), requires_grad=False)", "self.rest = nn.Parameter(torch.sqrt(1.0 - bars))")}
            def q_sample(self, x, t, noise=None):
                noise = torch.randn_like(x) if noise is None else noise
                return extract(self.sqrt_bars, t, x.shape) * x + extract(self.rest, t, x.shape) * noise
            def forward(self, x, *args, **kwargs):
                t = torch.randint(0, self.steps, (x.shape[0],))
                noise = torch.randn_like(x)
                noisy = self.q_sample(x=x, t=t, noise=noise)
                {change(a, "noisy", 0.2)}
                out = self.model(noisy, *args, **kwargs)
                {change(a, "out", 0.2)}
                return {a.one("F.mse_loss(out, noise)", "F.l1_loss(out, noise)", "F.mse_loss(out, noise, reduction='none').mean(dim=1).mean()")}
            {a.either("@torch.no_grad()", "")}
            def sample(self, x):
                for t in reversed(range(self.steps)):
                    x = x - 0.1 * self.model(x)
                    {a.one("x.clamp_(-1.0, 1.0)", "x = x.clamp(-1, 1)", "x += 0.1 * torch.randn_like(x)")}
                return x
        """)
    a.code(f"""
        net = {net(a)}
        diffusion = Diffusion(net)
        average = copy.deepcopy(net){a.one("", ".requires_grad_(False)", ".eval()")}
        opt = {optimizer(a, a.pick(("net.parameters()", "diffusion.parameters()", "[p for p in diffusion.parameters() if p.requires_grad]")))}
        for step in range(2):
            loss = diffusion(torch.randn(4, 4))
            {update(a, "opt")}
            {a.either("with torch.no_grad():" + chr(10) + "    for p, q in zip(net.parameters(), average.parameters()):" + chr(10) + "        q.lerp_(p, 0.1)", ("for p, q in zip(net.parameters(), average.parameters()):" + chr(10) + "    q.data = q.data * 0.9 + p.data * 0.1", "for p, q in zip(net.parameters(), average.parameters()):" + chr(10) + "    q.mul_(0.9).add_(p)"))}
            {a.maybe(0.5, "images = diffusion.sample(torch.randn(4, 4))")}
        {a.either("", ("images = diffusion.sample(torch.randn(4, 4)); images.sum().backward()", "loss.backward()"))}
        """)


def guided(a: Author) -> None:
    """Samples pushed along the gradient of a classifier."""
    a.define(f"""
        def guidance(x, y):
            with torch.enable_grad():
                x_in = {a.either(("x.detach().requires_grad_(True)", "x.detach().clone().requires_grad_()"), ("x.requires_grad_(True)", "x.detach()", "x"))}
                logits = classifier(x_in)
                {change(a, "logits", 0.2)}
                log_probs = F.log_softmax(logits, dim=-1)
                selected = log_probs[range(len(logits)), y.view(-1)]
                return torch.autograd.grad(selected.sum(), x_in{a.maybe(0.2, ", retain_graph=True")})[0] * 0.1
        """)
    mode = a.pick(("with torch.no_grad():", "with torch.no_grad():", "with torch.inference_mode():", "if True:"))
    a.code(f"""
        {a.maybe(float(not a.globals_exist), "global classifier")}
        classifier, net = {net(a)}, {net(a)}
        y = torch.arange(4)
        x = torch.randn(4, 4{a.maybe(0.15, ", requires_grad=True")})
        {mode}
            for t in range(3)[::-1]:
                mean = net(x)
                {a.maybe(0.3, "mean += guidance(x, y)")}
                x = mean + 0.1 * guidance({a.one("x", "mean", "x.clone()")}, y)
                {a.maybe(0.4, "x.add_(torch.randn_like(x))")}
        {a.either("", ("x.sum().backward()", "x.add_(1)", "net(x).sum().backward()"))}
        """)


SCENES = (training, guided)
