"""Plumbing of programs: context managers, try and finally, generators of batches, decorators, argument passing."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import backward, change, loss, net, optimizer


def contexts(a: Author) -> None:
    """Context managers that freeze, time, switch modes and put things back."""
    a.define(f"""
        @contextlib.contextmanager
        def frozen(*nets):
            flags = [[p.requires_grad for p in n.parameters()] for n in nets]
            for n in nets:
                n.requires_grad_(False)
            {a.one("try:" + chr(10) + "    yield nets" + chr(10) + "finally:" + chr(10) + "    for n, kept in zip(nets, flags):" + chr(10) + "        for p, flag in zip(n.parameters(), kept):" + chr(10) + "            p.requires_grad_(flag)", "yield nets" + chr(10) + "for n in nets:" + chr(10) + "    n.requires_grad_(True)")}
        class evaluating:
            def __init__(self, net, grad=False):
                self.net, self.grad = net, grad
            def __enter__(self):
                self.was, self.before = self.net.training, torch.is_grad_enabled()
                self.net.eval()
                torch.set_grad_enabled(self.grad)
                return self.net
            def __exit__(self, kind, error, trace):
                self.net.train(self.was)
                {a.either("torch.set_grad_enabled(self.before)", ("torch.set_grad_enabled(self.before)", "pass"))}
                return {a.one("False", "None", "kind is KeyError")}
        """)
    a.code(f"""
        first, second = {net(a)}, {net(a)}
        opt = {optimizer(a, "[*first.parameters(), *second.parameters()]")}
        for step in range(2):
            x = torch.randn(4, 4)
            with {a.one("frozen(second)", "frozen(first, second)", "frozen(second) as (kept,)")}:
                y = second(first(x))
                {change(a, "y", 0.3)}
                {a.either("", ("y.sum().backward()", "first.zero_grad()"))}
            with evaluating(second{a.one("", ", True", ", grad=True")}) as net:
                goal = net(x)
                {a.maybe(0.2, "raise KeyError") if a.chance(0.1) else ""}
            loss = {loss(a, "y", "goal")}
            opt.zero_grad()
            if loss.requires_grad{a.maybe(0.3, " or step")}:
                {backward(a)}
            opt.step()
        """)


def guarded(a: Author) -> None:
    """Steps within try: a failing batch is skipped, things are put back in finally."""
    a.define(f"""
        def guarded_step(net, opt, x, y, *, tries={a.one("1", "2")}):
            for attempt in range(tries):
                try:
                    out = net(x)
                    {change(a, "out", 0.6)}
                    loss = {loss(a, "out", "y")}
                    loss.backward()
                    {a.either("", ("loss.backward()", "out.sum().backward()"))}
                except {a.one("RuntimeError", "RuntimeError as error", "(RuntimeError, ValueError)", "ValueError", "Exception")}:
                    {a.one("opt.zero_grad()" + chr(10) + "continue", "if attempt == tries - 1:" + chr(10) + "    return None" + chr(10) + "continue", "opt.zero_grad()" + chr(10) + "break", "raise", "return None")}
                else:
                    opt.step()
                    return {a.one("loss", "loss.item()", "out")}
                finally:
                    {a.one("opt.zero_grad()", "net.train()", "x = None")}
            {a.one("return None", "return torch.zeros((), requires_grad=True)", "return net(x if x is not None else y).sum()")}
        """)
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()")}
        results = []
        for step in range(2):
            result = guarded_step(net, opt, torch.randn(4, 4), torch.zeros(4, 4){a.one("", ", tries=2")})
            if result is not None:
                results.append(result)
        {a.either("", ("[r.sum().backward() for r in results if isinstance(r, torch.Tensor) and r.requires_grad]", "sum(results)"))}
        """)


def generated(a: Author) -> None:
    """Batches from generators that are chained, cycled, sliced, sent to."""
    source = a.one(
        "itertools.islice(endless(4), 3)", "itertools.chain(stream(1), stream(2))", "prefetch(stream(3))", "(b for b in stream(3))",
        "zip(stream(2), itertools.count())", "filter(None, [0, 1, 2])", "itertools.islice(itertools.cycle(list(stream(2))), 3)",
    )  # fmt: skip
    a.define(f"""
        def stream(count, scale=1.0):
            carry = torch.zeros(4, 4)
            for index in range(count):
                batch = torch.randn(4, 4) * scale + carry
                carry = {a.either(("batch.detach() * 0.1", "torch.zeros(4, 4)"), ("batch * 0.1", "net(batch)" if a.globals_exist else "batch"))}
                yield batch
        def endless(size):
            while True:
                yield torch.randn(size, 4)
        def prefetch(source):
            source = iter(source)
            try:
                ahead = next(source)
            except StopIteration:
                return
            for batch in source:
                yield ahead
                ahead = batch
            yield ahead
        """)
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()")}
        total = {a.one("0", "torch.zeros(())")}
        for item in {source}:
            batch = item[0] if isinstance(item, tuple) else item if isinstance(item, torch.Tensor) else torch.ones(4, 4)
            {a.maybe(0.2, "if batch is None:" + chr(10) + "    continue")}
            out = net(batch)
            {change(a, "out", 0.3)}
            loss = {loss(a, "out", "torch.zeros(4, 4)")}
            opt.zero_grad()
            {backward(a)}
            opt.step()
            total {a.one("+=", "= total +")} {a.either(("loss.item()", "loss.detach()"), "loss")}
        {a.either("", ("total.backward()", "(total * 2).backward()"))}
        """)


def wrapped(a: Author) -> None:
    """Decorators of the program's own around steps, arguments passed through."""
    a.define(f"""
        def counted(fn):
            @functools.wraps(fn)
            def inner(*args, **kwargs):
                inner.calls += 1
                return fn(*args, **kwargs)
            inner.calls = 0
            return inner
        def graded(enabled=True):
            def decorate(fn):
                def inner(*args, **kwargs):
                    with torch.set_grad_enabled(enabled):
                        return fn(*args, **kwargs)
                return inner
            return decorate
        def twice(fn):
            return lambda *args, **kwargs: (fn(*args, **kwargs), fn(*args, **kwargs))[{a.one("0", "1")}]
        {a.one("@counted", "@counted", "@twice", "@graded()", "@counted" + chr(10) + "@graded(True)")}
        def train(net, opt, *batch, scale=1.0, **extra):
            x, y = batch
            out = net(x) * scale
            {change(a, "out", 0.3)}
            loss = {loss(a, "out", "y")} + sum(extra.values())
            opt.zero_grad()
            {a.one("loss.backward()", "loss.backward(retain_graph=True)")}
            opt.step()
            return {a.one("loss", "loss.detach()", "out")}
        {a.either(("@graded(False)", "@torch.no_grad()"), ("@graded(True)", "@counted"))}
        def evaluate(net, x, **_):
            out = net(x)
            out {a.one("+= 1.0", "= out.relu_()", "= out.mul_(2)")}
            return out
        """)
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()")}
        options = dict({a.one("", "scale=2.0", "scale=0.5")})
        extra = {{}}
        for step in range(2):
            result = train(net, opt, *(torch.randn(4, 4), torch.zeros(4, 4)), **options{a.maybe(0.6, ", **extra")})
            seen = evaluate(net, x=torch.randn(4, 4))
            {a.either("", ("extra['old'] = result.mean()", "result.sum().backward()", "(seen * result).sum().backward()"))}
        """)


SCENES = (contexts, guarded, generated, wrapped)
