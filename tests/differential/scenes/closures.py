"""Closures: handed to optimizers, keeping counters, made in loops, made by factories."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import backward, change, loss, net, optimizer


def fit(a: Author) -> None:
    """LBFGS or another optimizer that calls its closure."""
    kind = a.pick(
        (
            "torch.optim.LBFGS(net.parameters(), max_iter=2)",
            "torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=3, history_size=2)",
            "torch.optim.SGD(net.parameters(), lr=0.1)",
            "torch.optim.Adam(net.parameters())",
        )
    )
    a.code(f"""
        net = {net(a)}
        opt = {kind}
        x, y = torch.randn(4, 4), torch.randn(4, 4)
        {a.either("", "out = net(x)")}
        """)
    outside = a.lines[-1].strip() == "out = net(x)"
    a.code(f"""
        evaluations = []
        for epoch in range({a.one("1", "2")}):
            def closure():
                {a.one("opt.zero_grad()", "opt.zero_grad()", "if torch.is_grad_enabled():" + chr(10) + "    opt.zero_grad()")}
                pred = {"out" if outside and a.chance(0.8) else "net(x)"}
                {change(a, "pred", 0.3)}
                loss = {loss(a, "pred", "y")}
                {a.one("loss.backward()", "if loss.requires_grad:" + chr(10) + "    loss.backward()", "loss.backward(retain_graph=True)")}
                evaluations.append({a.either("loss.item()", "loss")})
                return loss
            {a.one("opt.step(closure)", "loss = opt.step(closure)", "opt.step(closure=closure)")}
        {a.either("", ("sum(evaluations).backward()", "evaluations[-1].backward()"))}
        """)


def factory(a: Author) -> None:
    """A step that a function makes around network and optimizer, with state of its own."""
    a.define(f"""
        def make_step(net, opt, every=1, *, smooth=0.9):
            running, calls = {a.one("0.0", "torch.zeros(())", "None")}, 0
            def step(x, y=None):
                nonlocal running, calls
                calls += 1
                out = net(x)
                {change(a, "out", 0.2)}
                loss = {loss(a, "out", "x if y is None else y")}
                {backward(a)}
                if calls % every == 0:
                    opt.step()
                    opt.zero_grad()
                value = {a.either(("loss.item()", "loss.detach()"), "loss")}
                running = value if running is None else smooth * running + (1 - smooth) * value
                return {a.one("running", "loss", "running, out")}
            {a.maybe(0.3, "step.reset = lambda: None")}
            return step
        """)
    a.code(f"""
        net = {net(a)}
        step = make_step(net, {optimizer(a, "net.parameters()")}, {a.one("1", "2", "every=2", "smooth=0.5")})
        for _ in range({a.one("2", "3")}):
            result = step(torch.randn(4, 4){a.maybe(0.3, ", torch.zeros(4, 4)")})
            {a.maybe(0.2, "result[0] if isinstance(result, tuple) else result")}
        {a.either("", "(result[1] if isinstance(result, tuple) else result).sum().backward()")}
        """)


def late(a: Author) -> None:
    """Functions made in a loop, that see the variable's last value; or bound early by a default."""
    call = a.one("f(torch.ones(4, 4))", "f(torch.ones(4, 4)) * 2")
    a.code(f"""
        layers = [{net(a)} for _ in range(2)]
        opt = {optimizer(a, "[p for layer in layers for p in layer.parameters()]")}
        terms, outs = [], []
        for index, layer in enumerate(layers):
            out = layer(torch.randn(4, 4))
            outs.append(out)
            terms.append({a.one("lambda t, out=out: (t * out).mean()", "lambda t: (t * out).mean()", "lambda t, layer=layer: layer(t).mean()", "functools.partial(torch.mul, out)")})
        {a.maybe(0.4, "out = outs[0]")}
        for f in terms{a.maybe(0.2, "[::-1]")}:
            value = {call}
            opt.zero_grad()
            value.sum().{a.either("backward(retain_graph=True)", "backward()")}
            {a.either("", "opt.step()")}
        opt.step()
        """)


SCENES = (fit, factory, late)
