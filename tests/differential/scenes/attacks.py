"""Inputs that are optimised: attacks, styles, prompts, latent codes."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, loss, net, optimizer


def projected(a: Author) -> None:
    """PGD: signs of gradients of the input, projected back."""
    step = a.either(
        ("delta.data = (delta + alpha * delta.grad.sign()).clamp(-eps, eps)\ndelta.grad.zero_()", "with torch.no_grad():\n    delta.add_(alpha * delta.grad.sign()).clamp_(-eps, eps)\n    delta.grad = None",
         "grad = delta.grad.detach()\ndelta.data.add_(alpha * torch.sign(grad))\ndelta.grad.zero_()", "delta = (delta + alpha * delta.grad.sign()).clamp(-eps, eps).detach().requires_grad_()"),
        ("delta += alpha * delta.grad.sign()", "delta = (delta + alpha * delta.grad.sign()).clamp(-eps, eps)\ndelta.retain_grad()", "delta.add_(alpha)\ndelta.grad.zero_()", "delta[0] = 0.0", "delta.clamp_(-eps, eps)"),
    )  # fmt: skip
    a.define(f"""
        def pgd(model, x, y, eps=0.1, alpha=0.01, steps={a.one("1", "2", "3")}):
            delta = {a.one("torch.zeros_like(x, requires_grad=True)", "torch.zeros_like(x).uniform_(-eps, eps).requires_grad_()", "nn.Parameter(torch.zeros_like(x))")}
            out = model(x)
            for _ in range(steps):
                loss = {loss(a, a.either("model(x + delta)", ("model(x + delta)", "(out + delta)")), "y")}
                {a.one("loss.backward()", "loss.backward()", "loss.backward(retain_graph=True)")}
                {step}
            return {a.one("delta.detach()", "(x + delta).detach()", "x + delta", "delta")}
        """)
    a.code(f"""
        model = {net(a)}
        opt = {optimizer(a, "model.parameters()")}
        for batch in range(2):
            x, y = torch.randn(4, 4), torch.randn(4, 4)
            adv = pgd(model, x, y)
            {a.maybe(0.6, "opt.zero_grad()")}
            {change(a, "adv", 0.3)}
            loss = {loss(a, "model(adv)", "y")}
            loss.backward()
            opt.step()
        """)


def style(a: Author) -> None:
    """An image is fitted to features that a fixed network gives; features through hooks or layer by layer."""
    a.define(f"""
        def gram(x):
            g = {a.one("x @ x.t()", "torch.mm(x, x.t())", "x.matmul(x.T)")}
            return g{a.one(".div(16)", " / 16", ".div_(16)")}
        class Features(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList([nn.Linear(4, 4), {a.one("nn.ReLU(inplace=True)", "nn.ReLU()", "nn.Tanh()")}, nn.Linear(4, 4), {a.one("nn.ReLU(inplace=True)", "nn.Sigmoid()")}])
            def forward(self, x, wanted=({a.one("0", "1")}, {a.one("2", "3")})):
                found = []
                for index, layer in enumerate(self.layers):
                    x = layer(x)
                    if index in wanted:
                        found.append({a.one("x", "x", "x.clone()")})
                return found
        """)
    make = a.one(
        "torch.randn(4, 4, requires_grad=True)", "content.clone().requires_grad_(True)", "nn.Parameter(content.clone())"
    )
    a.code(f"""
        features = Features(){a.one(".eval()", "")}
        {a.maybe(0.6, "for p in features.parameters():" + chr(10) + "    p.requires_grad_(False)")}
        content, style = torch.randn(4, 4), torch.randn(4, 4)
        image = {make}
        {a.either("with torch.no_grad():" + chr(10) + "    goals = [gram(f) for f in features(style)]", ("goals = [gram(f) for f in features(style)]", "goals = [gram(f).detach() for f in features(style)]"))}
        opt = {a.one("torch.optim.Adam([image], lr=0.1)", "torch.optim.SGD([image], lr=0.1)")}
        for step in range({a.one("2", "3")}):
            {a.either("with torch.no_grad():" + chr(10) + "    image.clamp_(0, 1)", ("image.data.clamp_(0, 1)", "image.clamp_(0, 1)", "pass"))}
            opt.zero_grad()
            total = 0
            for found, goal in zip(features(image), goals):
                total {a.one("+=", "= total +")} F.mse_loss(gram(found), goal)
            {a.one("total.backward()", "total.backward(retain_graph=True)")}
            opt.step()
        """)


def latent(a: Author) -> None:
    """A code is searched for that a generator makes a target from."""
    a.code(f"""
        gen = {net(a)}
        {a.maybe(0.7, "gen.requires_grad_(False)")}
        codes = [{a.one("torch.randn(4, 4, requires_grad=True)", "torch.zeros(4, 4).requires_grad_()", "nn.Parameter(torch.randn(4, 4))")} for _ in range(2)]
        noise = {{"a": torch.zeros(4, 4, requires_grad=True)}}
        target = torch.randn(4, 4)
        opt = torch.optim.Adam({a.one("codes + list(noise.values())", "[*codes, *noise.values()]", "codes")}, lr=0.1)
        best, best_loss = None, float("inf")
        for step in range(2):
            code = {a.either(("codes[0] + codes[1]", "torch.stack(codes).mean(0)"), ("codes[0].add_(codes[1])", "codes[step]"))}
            made = gen(code + noise["a"])
            {change(a, "made", 0.3)}
            loss = {loss(a, "made", "target")}
            loss = loss + sum(n.pow(2).mean() for n in noise.values())
            opt.zero_grad()
            loss.backward()
            opt.step()
            {a.either("with torch.no_grad():" + chr(10) + "    for n in noise.values():" + chr(10) + "        n.sub_(n.mean()).div_(n.std() + 1.0)", ("for n in noise.values():" + chr(10) + "    n.data = n.data - n.data.mean()", "for n in noise.values():" + chr(10) + "    n -= n.mean()"))}
            {a.maybe(0.4, "best = made.detach().clone() if best is None else best")}
        """)


SCENES = (projected, style, latent)
