"""Steps that are scaled, gathered, clipped, averaged."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, loss, net, optimizer


def scaled(a: Author) -> None:
    """GradScaler and autocast as on a machine without a GPU."""
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()").replace(", fused=True", "")}
        use_amp = {a.one("False", "False", "False", "True")}
        scaler = torch.amp.GradScaler("cpu", enabled={a.one("False", "False", "use_amp and False")})
        accumulate = {a.one("1", "2")}
        for index in range({a.one("2", "3")}):
            with torch.autocast("cpu", {a.one("enabled=False", "enabled=False", "dtype=torch.bfloat16, enabled=use_amp")}):
                out = net(torch.randn(4, 4))
                {change(a, "out", 0.2)}
                loss = {loss(a, "out", "torch.zeros(4, 4)")} {a.one("/ accumulate", "", "* 1.0")}
            scaler.scale(loss).backward({a.maybe(0.15, "retain_graph=True")})
            if (index + 1) % accumulate == 0:
                {a.maybe(0.5, "scaler.unscale_(opt)" + chr(10) + "nn.utils.clip_grad_norm_(net.parameters(), 1.0)")}
                scaler.step(opt)
                scaler.update()
                opt.zero_grad()
            {a.either("", ("scaler.scale(loss).backward()", "loss.backward()"))}
        """)


def gathered(a: Author) -> None:
    """Gradients of several micro batches, or losses of several, before one step."""
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()")}
        scheduler = torch.optim.lr_scheduler.{a.one("StepLR(opt, 1)", "LambdaLR(opt, lambda n: 0.9 ** n)", "CosineAnnealingLR(opt, 2)", "ExponentialLR(opt, 0.9)")}
        pending, every = [], 2
        for index, (x, y) in enumerate([(torch.randn(4, 4), torch.zeros(4, 4)) for _ in range({a.one("3", "4")})], start=1):
            out = net(x)
            {change(a, "out", 0.2)}
            loss = {loss(a, "out", "y")}
            {a.either("loss.backward()", ("pending.append(loss)", "loss.backward()", "pending.append(loss / every)"))}
            if index % every == 0{a.maybe(0.2, " or index == 3")}:
                if pending:
                    {a.one("torch.stack(pending).sum().backward()", "sum(pending).backward()", "for term in pending:" + chr(10) + "    term.backward()")}
                    {a.either("pending.clear()", ("pending.clear()", "pass", "pending = pending[1:]"))}
                {a.maybe(0.4, "torch.nn.utils.clip_grad_value_(net.parameters(), 0.5)")}
                opt.step()
                {a.maybe(0.7, "opt.zero_grad(set_to_none=True)")}
                scheduler.step()
            {a.maybe(0.3, "norm = sum(p.grad.norm() ** 2 for p in net.parameters() if p.grad is not None)")}
        """)


def averaged(a: Author) -> None:
    """An average of weights: shadow dict, applied and restored for evaluation, torch's own class."""
    change_weights = a.either(
        (
            "p.data.copy_(self.shadow[n])",
            "p.data = self.shadow[n]",
            "with torch.no_grad():\n    p.copy_(self.shadow[n])",
        ),
        ("p.copy_(self.shadow[n])", "p.data = self.shadow[n]", "p.data.mul_(self.shadow[n])"),
    )
    a.define(f"""
        class Ema:
            def __init__(self, net, decay=0.9):
                self.net, self.decay = net, decay
                self.shadow, self.backup = {{}}, {{}}
                for n, p in net.named_parameters():
                    if p.requires_grad:
                        self.shadow[n] = {a.one("p.data.clone()", "p.detach().clone()", "p.clone().detach()")}
            def update(self):
                for n, p in self.net.named_parameters():
                    if n in self.shadow:
                        {a.one("self.shadow[n] = self.decay * self.shadow[n] + (1 - self.decay) * p.data", "self.shadow[n].mul_(self.decay).add_(p.data, alpha=1 - self.decay)", "new = (1.0 - self.decay) * p.data + self.decay * self.shadow[n]" + chr(10) + "self.shadow[n] = new.clone()", "self.shadow[n] -= (1 - self.decay) * (self.shadow[n] - p.detach())")}
            def apply(self):
                for n, p in self.net.named_parameters():
                    if n in self.shadow:
                        self.backup[n] = {a.one("p.data", "p.data.clone()")}
                        {change_weights}
            def restore(self):
                for n, p in self.net.named_parameters():
                    if n in self.backup:
                        p.data = self.backup[n]
                self.backup = {{}}
        """)
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()")}
        ema = Ema(net)
        {a.maybe(0.3, "swa = torch.optim.swa_utils.AveragedModel(net)")}
        for step in range(2):
            out = net(torch.randn(4, 4))
            loss = {loss(a, "out", "torch.zeros(4, 4)")}
            {a.either("", ("ema.apply()", "ema.update()"))}
            opt.zero_grad()
            loss.backward()
            opt.step()
            ema.update()
            ema.apply()
            {a.one("with torch.no_grad():" + chr(10) + "    seen = net(torch.randn(4, 4))", "seen = net(torch.randn(4, 4))")}
            ema.restore()
            {a.either("", ("seen.sum().backward()", "loss.backward()"))}
        """)


SCENES = (scaled, gathered, averaged)
