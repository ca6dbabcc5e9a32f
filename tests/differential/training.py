"""Random training programs with a plot: what people write, with the mistakes that they make."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential import modules
from tests.differential.author import MATRIX, SCALAR, Author, Expr, Var
from tests.differential.expressions import loss, remember, tensor
from tests.differential.flow import backward, body, statement
from tests.differential.mutations import mutate

OPTIMIZERS = (
    (4, "torch.optim.SGD({0}, lr=0.1)"), (1, "torch.optim.SGD({0}, lr=0.1, momentum=0.9)"), (4, "torch.optim.Adam({0}, lr=0.1)"),
    (2, "torch.optim.AdamW({0})"), (1, "torch.optim.Adam({0}, lr=0.1, foreach=True)"), (1, "torch.optim.SGD({0}, lr=0.1, foreach=True)"),
    (1, "torch.optim.Adam({0}, lr=0.1, fused=True)"), (1, "torch.optim.SGD({0}, lr=0.1, fused=True)"), (1, "torch.optim.AdamW({0}, fused=True)"),
    (0.7, "torch.optim.RMSprop({0}, lr=0.01)"), (0.3, "torch.optim.Adagrad({0})"), (0.2, "torch.optim.NAdam({0})"),
)  # fmt: skip


def optimizer(a: Author, owners: list[str]) -> str:
    """Write an optimizer of the modules and leaves ``owners``; returns its name."""
    name = a.fresh("opt")
    parts = [f"{owner}.parameters()" if a.scope.names[owner].kind != "tensor" else f"[{owner}]" for owner in owners]
    if len(parts) == 1:
        text = a.pick((parts[0], f"list({parts[0]})"))
    else:
        text = a.pick((" + ".join(f"list({part})" for part in parts), f"[{', '.join('*' + part for part in parts)}]",
                       f"itertools.chain({', '.join(parts)})", "[" + ", ".join(f'{{"params": {part}}}' for part in parts) + "]"))  # fmt: skip
    a.write(f"{name} = {a.weighted(OPTIMIZERS).format(text)}")
    a.bind(name, Var("optimizer", owns=tuple(owners)))
    return name


def spice(a: Author, probability: float = 0.5) -> None:
    """Perhaps a statement that the plot does not need."""
    while a.chance(probability):
        statement(a)
        probability /= 2


def data(a: Author, name: str) -> str:
    a.write(f"{name} = torch.randn(4, 4)")
    a.bind(name, Var("tensor", MATRIX))
    return name


def supervised(a: Author) -> None:
    """Forward, loss, backward, step, in an order that may be wrong."""
    net = modules.network(a)
    opt = optimizer(a, [net] + ([modules.leaf(a)] if a.chance(0.3) else []))
    data(a, a.fresh("x"))
    data(a, a.fresh("x"))
    spice(a)
    kept = a.weighted(((4, ""), (1, "list"), (1, "sum"), (1, "hidden")))
    if kept == "list":
        a.write("history = []")
    elif kept == "sum":
        a.write("total = 0.0")
    elif kept == "hidden":
        a.write("h = torch.zeros(4, 4)")
        a.bind("h", Var("tensor", MATRIX))
    with a.block(f"for step in range({a.rng.randint(1, 3)}):"):
        lines = ["forward", "zero", "loss", "backward", "step"]
        if not a.careful():
            first, second = a.rng.sample(range(5), 2)
            lines[first], lines[second] = lines[second], lines[first]
            if lines.index("forward") > lines.index("loss") or lines.index("loss") > lines.index("backward"):
                lines = ["forward", "loss", "step", "backward", "zero"]
        for line in lines:
            if line == "forward":
                value = tensor(a, MATRIX, 1)
                text = f"{net}({value.text})" if kept != "hidden" else f"{net}({value.operand} + h)"
                a.write(f"y = {text}")
                a.bind("y", Var("tensor", MATRIX, True, value.stale))
                if kept == "hidden":
                    a.write(
                        "h = y.detach()"
                        if a.careful()
                        else a.pick(("h = y", "h = y", "h = h + y", "h = y.detach()", "h = y.clone()"))
                    )
            elif line == "zero":
                a.write(a.pick((f"{opt}.zero_grad()", f"{net}.zero_grad()", f"{opt}.zero_grad(set_to_none=False)")))
            elif line == "loss":
                a.write(
                    f"err = {a.pick(('F.mse_loss(y, torch.ones(4, 4))', 'y.pow(2).mean()', '(y * y).sum()', 'y.mean()', 'F.cross_entropy(y, torch.arange(4))', '(y - 1.0).abs().mean()'))}"
                )
                remember(a, "err", SCALAR, Expr("err", True))
                _keep(a, kept)
            elif line == "backward":
                a.write(
                    a.weighted(
                        (
                            (6, "err.backward()"),
                            (1, "err.backward(retain_graph=True)"),
                            (0.5, f"err.backward(inputs=list({net}.parameters()))"),
                        )
                    )
                )
                a.spoil()
                if a.chance(0.15):
                    a.write(f"torch.nn.utils.clip_grad_norm_({net}.parameters(), 1.0)")
            else:
                a.write(f"{opt}.step()")
                a.spoil()
            spice(a, 0.12)
    if kept == "list" and a.chance(0.6):
        a.write(
            "torch.stack(history).mean().backward()" if not a.careful() else "n = torch.stack(history).mean().item()"
        )
    if kept == "sum" and not a.careful():
        a.write("total.backward()")


def _keep(a: Author, kept: str) -> None:
    if kept == "list":
        a.write("history.append(err.detach())" if a.careful() else "history.append(err)")
    elif kept == "sum":
        a.write(
            "total = total + err.item()"
            if a.careful()
            else a.pick(("total += err", "total = total + err", "err = err + total * 0.1"))
        )


def adversarial(a: Author) -> None:
    """Two networks, two optimizers, losses that share a graph."""
    gen, dis = modules.network(a, "gen"), modules.network(a, "dis")
    g_opt, d_opt = optimizer(a, [gen]), optimizer(a, [dis])
    with a.block(f"for step in range({a.rng.randint(1, 2)}):"):
        a.write(f"fake = {gen}({a.pick(('torch.randn(4, 4)', 'torch.ones(4, 4)'))})")
        a.bind("fake", Var("tensor", MATRIX, True))
        spice(a, 0.12)
        detach = (
            a.weighted(((3, "fake.detach()"), (1, "fake"), (0.5, "fake.clone().detach()"), (0.3, "fake.data")))
            if not a.careful()
            else "fake.detach()"
        )
        d_loss = a.pick(
            (
                f"{dis}(torch.randn(4, 4)).mean() - {dis}({detach}).mean()",
                f"F.softplus({dis}({detach})).mean() + F.softplus(-{dis}(torch.ones(4, 4))).mean()",
                f"({dis}({detach}) - 1.0).pow(2).sum()",
            )
        )
        g_loss = a.pick(
            (
                f"-{dis}(fake).mean()",
                f"F.mse_loss({dis}(fake), torch.ones(4, 4))",
                f"F.softplus(-{dis}(fake)).mean()",
                f"(fake * 2.0).mean() + {dis}(fake).sum()",
            )
        )
        retain = a.pick(("", "", "", "retain_graph=True"))
        parts = {
            "d_loss": [f"d_loss = {d_loss}"],
            "g_loss": [f"g_loss = {g_loss}"],
            "d_back": [f"d_loss.backward({retain})"],
            "g_back": ["g_loss.backward()" if a.chance(0.8) else f"g_loss.backward(inputs=list({gen}.parameters()))"],
            "d_step": [f"{d_opt}.step()"],
            "g_step": [f"{g_opt}.step()"],
            "d_zero": [f"{d_opt}.zero_grad()"],
            "g_zero": [f"{g_opt}.zero_grad()"],
        }
        right = ["d_loss", "d_zero", "d_back", "d_step", "g_loss", "g_zero", "g_back", "g_step"]
        wrong = [
            ["d_loss", "g_loss", "d_zero", "d_back", "d_step", "g_zero", "g_back", "g_step"],
            ["g_loss", "d_loss", "d_zero", "g_zero", "d_back", "g_back", "d_step", "g_step"],
            ["d_loss", "g_loss", "g_zero", "g_back", "g_step", "d_zero", "d_back", "d_step"],
            ["g_loss", "g_zero", "g_back", "g_step", "d_loss", "d_zero", "d_back", "d_step"],
            ["d_loss", "d_back", "g_loss", "d_step", "g_back", "g_step", "d_zero", "g_zero"],
        ]
        for part in right if a.careful() else a.pick(wrong):
            for line in parts[part]:
                a.write(line)
            if "back" in part or "step" in part:
                a.spoil()
            spice(a, 0.06)


def recurrent(a: Author) -> None:
    """State carried over steps by a cell, an LSTM, or a module."""
    cell = modules.cell(a)
    head = modules.network(a, "head")
    opt = optimizer(a, [cell, head])
    a.write(a.pick(("h = torch.zeros(4, 4)", "h = None", "h = torch.randn(4, 4)")))
    none = a.lines[-1].endswith("None")
    inside = a.chance(0.5)
    with a.block(f"for t in range({a.rng.randint(2, 3)}):"):
        if none:
            with a.block("if h is None:"):
                a.write("h = torch.zeros(4, 4)")
        a.write(f"h = {cell}(torch.randn(4, 4), h)")
        a.bind("h", Var("tensor", MATRIX, True))
        spice(a, 0.12)
        if inside:
            a.write(f"err = {head}(h).pow(2).mean()")
            a.write(f"{opt}.zero_grad()")
            a.write(a.weighted(((5, "err.backward()"), (1, "err.backward(retain_graph=True)"))))
            a.spoil()
            if a.chance(0.8):
                a.write(f"{opt}.step()")
            if a.careful():
                a.write(a.pick(("h = h.detach()", "h.detach_()", "h = h.data", "h = h.clone().detach()")))
            elif a.chance(0.5):
                a.write(
                    a.pick(
                        (
                            "h.detach()",
                            "h = h.clone()",
                            "h.data.zero_()",
                            "h = h * 0.0",
                            "h = h.detach().requires_grad_()",
                        )
                    )
                )
    if not inside:
        a.bind("h", Var("tensor", MATRIX, True))
        spice(a, 0.2)
        a.write(f"({head}(h) + h).sum().backward()")
        a.write(f"{opt}.step()")


def attack(a: Author) -> None:
    """The input is optimised, by hand."""
    net = modules.network(a)
    a.write("x = torch.randn(4, 4)")
    a.write(
        a.pick(
            (
                "adv = x.clone().requires_grad_()",
                "adv = x.detach().clone().requires_grad_(True)",
                "adv = nn.Parameter(x.clone())",
                "adv = x\nadv.requires_grad_()",
            )
        ).split("\n")[0]
    )
    a.bind("adv", Var("tensor", MATRIX, True, leaf=True))
    with a.block(f"for _ in range({a.rng.randint(1, 3)}):"):
        a.write(f"err = {net}(adv).mean()")
        spice(a, 0.12)
        form = a.pick(("grad", "backward"))
        if form == "grad":
            a.write("g = torch.autograd.grad(err, adv)[0]")
            a.write(
                a.pick(
                    (
                        "adv = (adv + 0.1 * g.sign()).detach().requires_grad_()",
                        "adv = adv.detach() + 0.1 * g\n",
                        "adv.data.add_(0.1 * g)",
                        "adv.data = adv.data + 0.1 * g",
                    )
                ).strip()
                if a.careful()
                else a.pick(
                    (
                        "adv += 0.1 * g",
                        "adv = adv + 0.1 * g",
                        "adv.add_(g)",
                        "adv[0] += g[0]",
                        "adv[:] = adv + g",
                        "adv[g > 0] = 0.0",
                    )
                )
            )
        else:
            a.write("err.backward()")
            with a.block("with torch.no_grad():"):
                a.write(
                    a.pick(
                        (
                            "adv += 0.1 * adv.grad",
                            "adv.add_(adv.grad)",
                            "adv -= adv.grad.sign()",
                            "adv.copy_(adv + adv.grad)",
                            "adv[0] = 0.0",
                        )
                        if a.careful()
                        else ("adv = adv + 0.1 * adv.grad", "adv = adv.clone()")
                    )
                )
            a.write(a.pick(("adv.grad.zero_()", "adv.grad = None")) if a.careful() else "pass")
        a.spoil()


def penalty(a: Author) -> None:
    """A gradient within the loss."""
    net = modules.network(a)
    opt = optimizer(a, [net])
    with a.block(f"for step in range({a.rng.randint(1, 2)}):"):
        a.write("x = torch.randn(4, 4, requires_grad=True)")
        a.bind("x", Var("tensor", MATRIX, True, leaf=True))
        a.write(f"score = {net}(x)")
        a.bind("score", Var("tensor", MATRIX, True))
        spice(a, 0.1)
        graph = ", create_graph=True" if a.careful() else a.pick(("", ", retain_graph=True", ", create_graph=True"))
        form = a.pick(
            ("score.sum(), x", "outputs=score, inputs=x, grad_outputs=torch.ones_like(score)", "score.mean(), [x]")
        )
        if not a.careful():
            form = a.pick((form, "score, x"))
        a.write(f"g = torch.autograd.grad({form}{graph})[0]")
        a.bind("g", Var("tensor", MATRIX, "create" in graph))
        a.write(a.pick(("pen = (g.norm(dim=1) - 1.0).pow(2).mean()", "pen = g.pow(2).sum()", "pen = (g ** 2).mean()")))
        whole = a.pick(("(score.mean() + pen)", "pen", "(score.pow(2).mean() + 10.0 * pen)"))
        a.write(f"{whole}.backward()")
        a.write(f"{opt}.step()")
        a.write(f"{opt}.zero_grad()")
        a.spoil()


def inner_loop(a: Author) -> None:
    """Fast weights, updated by autograd.grad."""
    w = modules.leaf(a, MATRIX)
    a.write("x = torch.randn(4, 4)")
    a.write(f"fast = {a.pick((w, f'{w}.clone()', f'{w} * 1.0', f'{w} + 0.0'))}")
    a.bind("fast", Var("tensor", MATRIX, True))
    create = a.pick(("create_graph=True", "create_graph=True", "retain_graph=True", "create_graph=False"))
    with a.block(f"for _ in range({a.rng.randint(1, 3)}):"):
        a.write(
            a.pick(
                (
                    "inner = (x @ fast).pow(2).mean()",
                    "inner = F.mse_loss(x @ fast, torch.ones(4, 4))",
                    "inner = torch.tanh(x * fast).sum()",
                )
            )
        )
        a.write(f"(g,) = torch.autograd.grad(inner, {a.pick(('fast', '[fast]', '(fast,)'))}, {create})")
        a.write(
            "fast = fast - 0.1 * g"
            if a.careful()
            else a.pick(("fast -= 0.1 * g", "fast = fast - 0.1 * g.detach()", "fast.sub_(g)", "fast.data.sub_(g)"))
        )
    a.bind("fast", Var("tensor", MATRIX, True))
    spice(a, 0.3)
    a.write(a.pick(("(x @ fast).sum().backward()", "(fast * fast).mean().backward()", "fast.sum().backward()")))
    a.spoil()
    if a.chance(0.5):
        with a.block("with torch.no_grad():"):
            a.write(f"{w} -= 0.1 * {w}.grad" if a.careful() else f"{w} = {w} - 0.1 * {w}.grad")
    if a.chance(0.4) and not a.careful():
        a.write("(fast * x).sum().backward()")


def critic(a: Author) -> None:
    """An actor and a critic on one trunk, or a target network."""
    trunk, actor, value = modules.network(a, "trunk"), modules.network(a, "actor"), modules.network(a, "value")
    shared = a.chance(0.5)
    first = optimizer(a, [trunk, actor] if shared else [actor])
    second = optimizer(a, [value] if shared else [trunk, value])
    with a.block(f"for step in range({a.rng.randint(1, 2)}):"):
        a.write(f"z = {trunk}(torch.randn(4, 4))")
        a.bind("z", Var("tensor", MATRIX, True))
        spice(a, 0.1)
        a.write("losses = {}")
        a.write(f'losses["value"] = {value}(z).pow(2).mean()')
        advantage = f"({value}(z) - 1.0)"
        a.write(f"adv = {advantage}.detach()" if a.careful() else f"adv = {advantage}")
        a.write(f'losses["actor"] = -({actor}(z).log_softmax(dim=-1) * adv).mean()')
        form = a.pick(("sum", "sum", "each", "retain", "loop"))
        if form == "sum":
            a.write("sum(losses.values()).backward()")
        elif form == "each":
            a.write('losses["value"].backward()' if not a.careful() else 'losses["value"].backward(retain_graph=True)')
            if a.chance(0.4):
                a.write(f"{second}.step()")
            a.write('losses["actor"].backward()')
        elif form == "retain":
            a.write('losses["value"].backward(retain_graph=True)')
            a.write('losses["actor"].backward()')
        else:
            with a.block(f"for {a.pick(('name, term in losses.items()', '_, term in sorted(losses.items())'))}:"):
                a.write("term.backward(retain_graph=True)" if a.careful() else "term.backward()")
        a.spoil()
        a.write(f"{first}.step()")
        a.write(f"{second}.step()")
        a.write(f"{first}.zero_grad(); {second}.zero_grad()")


def target_network(a: Author) -> None:
    """A slow copy of a network, moved towards it by hand."""
    net = modules.network(a)
    slow = a.fresh("slow")
    a.write(f"{slow} = copy.deepcopy({net})")
    a.bind(slow, Var("module", MATRIX, grad=True))
    if a.chance(0.6):
        a.write(f"{slow}.requires_grad_(False)")
    opt = optimizer(a, [net])
    with a.block(f"for step in range({a.rng.randint(1, 3)}):"):
        a.write("x = torch.randn(4, 4)")
        a.bind("x", Var("tensor", MATRIX))
        a.write(f"goal = {slow}(x)" + (".detach()" if a.chance(0.5) else ""))
        a.bind("goal", Var("tensor", MATRIX, True))
        a.write(f"err = F.mse_loss({net}(x), goal)")
        spice(a, 0.1)
        update = a.pick(
            (
                "q.data.mul_(0.9).add_(0.1 * p.data)",
                "q.data.copy_(0.9 * q.data + 0.1 * p.data)",
                "q.mul_(0.9).add_(p, alpha=0.1)",
                "q.lerp_(p, 0.1)",
                "q.copy_(p)",
            )
        )
        late = a.careful()
        if late:
            a.write("err.backward()")
            a.write(f"{opt}.step()")
        pairs = f"for p, q in zip({net}.parameters(), {slow}.parameters()):"
        if ".data" in update or not a.careful():
            with a.block(pairs):
                a.write(update)
        else:
            with a.block("with torch.no_grad():"), a.block(pairs):
                a.write(update)
        if a.chance(0.1):
            a.write(f"{slow}.load_state_dict({net}.state_dict())")
        if not late:
            a.write("err.backward()")
            a.write(f"{opt}.step()")
        a.write(f"{opt}.zero_grad()")
        a.spoil()


def trainer(a: Author) -> None:
    """A class that holds the network, the optimizer and state, with methods that call each other."""
    name = a.fresh("Trainer")
    net = modules.network(a)
    opt = optimizer(a, [net])
    keep = a.pick(("self.hidden", "self.losses", "self.total", ""))
    lines = [
        f"class {name}:",
        "    def __init__(self, net, opt, clip=None):",
        "        self.net = net",
        "        self.opt = opt",
        "        self.clip = clip",
    ]
    lines.append(
        {
            "self.hidden": "        self.hidden = None",
            "self.losses": "        self.losses = []",
            "self.total": "        self.total = 0.0",
            "": "        self.count = 0",
        }[keep]
    )
    lines += ["", "    def loss(self, x):"]
    if keep == "self.hidden":
        lines += [
            "        if self.hidden is None:",
            "            self.hidden = torch.zeros(4, 4)",
            "        x = x + self.hidden",
        ]
    lines += ["        y = self.net(x)"]
    if a.chance(0.3):
        form = (
            a.pick(("y = y * 0.5", "y = y + 1.0", "y = F.relu(y)"))
            if a.careful()
            else a.pick(("y *= 0.5", "y += 1.0", "F.relu(y, inplace=True)", "y[0] = 0.0", "y.exp_()"))
        )
        lines.append(f"        {form}")
    if keep == "self.hidden":
        lines.append("        self.hidden = y.detach()" if a.careful() else "        self.hidden = y")
    lines += [
        f"        return {a.pick(('y.pow(2).mean()', 'y.sum()', 'F.mse_loss(y, torch.ones(4, 4))', 'y.exp().mean()'))}",
        "",
    ]
    lines += ["    def step(self, x):", "        err = self.loss(x)"]
    inner = {
        "self.losses": "self.losses.append(err.item())" if a.careful() else "self.losses.append(err)",
        "self.total": "self.total += err.item()" if a.careful() else "self.total += err",
    }.get(keep)
    back = [
        "self.opt.zero_grad()",
        a.weighted(((5, "err.backward()"), (1, "err.backward(retain_graph=True)"))),
        "self.opt.step()",
    ]
    if not a.careful():
        a.rng.shuffle(back)
    lines += [f"        {line}" for line in back]
    if inner:
        lines.append(f"        {inner}")
    lines += [
        "        if self.clip is not None:",
        "            nn.utils.clip_grad_norm_(self.net.parameters(), self.clip)",
        "        return err",
        "",
    ]
    lines += ["    @property", "    def last(self):", f"        return {a.pick(('self.net', 'self.opt'))}", ""]
    a.definitions.extend(lines)
    coach = a.fresh("coach")
    a.write(f"{coach} = {name}({net}, {opt}{a.pick(('', ', clip=1.0', ', 0.5'))})")
    spice(a)
    with a.block(
        a.pick(
            (
                "for batch in [torch.randn(4, 4) for _ in range(2)]:",
                "for batch in batches(3):",
                "for _, batch in enumerate(batches(2)):",
            )
        )
    ):
        a.bind("batch", Var("tensor", MATRIX))
        a.write(f"out = {coach}.step(batch)")
        a.bind("out", Var("tensor", SCALAR, True, True))
        if not a.careful():
            a.write(a.pick(("out.backward()", "(out * 2).backward()", "n = out.item()")))
    if keep == "self.losses":
        a.write(f"{a.pick(('sum', 'len', 'list'))}({coach}.losses)")
    if keep == "self.total" and not a.careful():
        a.write(f"{coach}.total.backward()")


def closures(a: Author) -> None:
    """A closure handed to the optimizer."""
    net = modules.network(a)
    opt = optimizer(a, [net])
    data(a, a.fresh("x"))
    outside = not a.careful()
    with a.block(f"for step in range({a.rng.randint(1, 2)}):"):
        a.write(f"y = {net}(torch.randn(4, 4))")
        a.bind("y", Var("tensor", MATRIX, True))
        with a.definition(a.pick(("def closure():", "def closure(extra=0.0):")), {}, here=True):
            a.write(f"{opt}.zero_grad()")
            a.write(f"err = {'y' if outside else net + '(torch.ones(4, 4))'}.pow(2).mean()")
            a.write("err.backward()")
            a.write("return err")
        if a.chance(0.4):
            a.write("closure()")
        a.write(f"{opt}.step(closure)")
        a.spoil()
        spice(a, 0.1)


def soup(a: Author) -> None:
    """No plot: leaves, views, in-place statements, backwards."""
    for _ in range(a.rng.randint(1, 2)):
        modules.leaf(a)
    for _ in range(a.rng.randint(0, 2)):
        modules.network(a)
    if a.find("module") and a.chance(0.6):
        optimizer(a, [a.pick(a.find("module")), *a.find("tensor", lambda var: var.leaf)[:1]])
    data(a, a.fresh("x"))
    body(a, a.rng.randint(3, 9))
    backward(a)
    if a.chance(0.3):
        mutate(a)
        backward(a)


def carried(a: Author) -> None:
    """A recurrent state kept over the steps, cut off or not."""
    kind = a.pick(("LSTMCell", "GRUCell", "GRU", "LSTM"))
    a.write(f"rnn = nn.{kind}(4, 4)")
    a.bind("rnn", Var("rnn", grad=True))
    opt = a.fresh("opt")
    a.write(f"{opt} = {a.weighted(OPTIMIZERS).format('rnn.parameters()')}")
    a.bind(opt, Var("optimizer", owns=("rnn",)))
    pair = kind.startswith("LSTM")
    start = a.pick(("None", "zeros"))
    zeros = "torch.zeros(4, 4)" if kind.endswith("Cell") else "torch.zeros(1, 4)"
    a.write(f"state = {'None' if start == 'None' else f'({zeros}, {zeros})' if pair else zeros}")
    with a.block(f"for step in range({a.rng.randint(2, 3)}):"):
        a.write("x = torch.randn(4, 4)")
        a.bind("x", Var("tensor", MATRIX))
        if kind.endswith("Cell"):
            a.write("state = rnn(x, state)")
            a.write(f"y = {'state[0]' if pair else 'state'}")
        else:
            a.write("y, state = rnn(x, state)")
        a.bind("y", Var("tensor", MATRIX, True))
        spice(a, 0.12)
        a.write(f"err = {a.pick(('y.pow(2).mean()', 'F.mse_loss(y, torch.ones(4, 4))', 'y.sum()'))}")
        a.write(f"{opt}.zero_grad({a.pick(('', 'set_to_none=False'))})")
        a.write(a.weighted(((5, "err.backward()"), (1, "err.backward(retain_graph=True)"))))
        if a.chance(0.7):
            a.write(f"{opt}.step()")
        if a.careful():
            a.write(
                "state = tuple(s.detach() for s in state)"
                if pair
                else a.pick(("state = state.detach()", "state = state.detach().clone()"))
            )
        elif a.chance(0.3):
            a.write(
                "state = (state[0].detach(), state[1])"
                if pair
                else a.pick(("state = state * 1.0", "state.detach_()", "state = state.data"))
            )
        a.spoil()


def lbfgs(a: Author) -> None:
    """An optimizer that calls its closure several times."""
    net = modules.network(a)
    opt = a.fresh("opt")
    a.write(f"{opt} = torch.optim.LBFGS({net}.parameters(), max_iter={a.rng.randint(1, 3)})")
    a.bind(opt, Var("lbfgs"))
    a.write("x = torch.randn(4, 4)")
    a.bind("x", Var("tensor", MATRIX))
    outside = not a.careful()
    if outside:
        a.write(f"y = {net}(x)")
        a.bind("y", Var("tensor", MATRIX, True))
    with a.block(f"for step in range({a.rng.randint(1, 2)}):"):
        with a.definition("def closure():", {}, here=True):
            a.write(f"{opt}.zero_grad()")
            a.write(f"err = ({'y' if outside else f'{net}(x)'} - 1.0).pow(2).mean()")
            a.write("err.backward()")
            a.write("return err")
        a.write(f"{a.pick(('', 'err = '))}{opt}.step(closure)")
        a.spoil()
        spice(a, 0.2)


def groups(a: Author) -> None:
    """Parameter groups, gradients gathered over several batches, zeroing in place."""
    first, second = modules.network(a), modules.network(a)
    opt = a.fresh("opt")
    fused = a.pick(("", "", ", fused=True", ", foreach=True"))
    a.write(
        f'{opt} = torch.optim.{a.pick(("SGD", "Adam", "AdamW"))}([{{"params": {first}.parameters(), "lr": 0.01}}, {{"params": list({second}.parameters())}}], lr=0.1{fused})'
    )
    a.bind(opt, Var("optimizer", owns=(first, second)))
    if a.chance(0.3):
        w = modules.leaf(a)
        a.write(f'{opt}.add_param_group({{"params": [{w}]}})')
    with a.block(f"for step in range({a.rng.randint(2, 4)}):"):
        a.write(f"y = {second}({first}(torch.randn(4, 4)))")
        a.bind("y", Var("tensor", MATRIX, True))
        spice(a, 0.15)
        a.write(f"err = {a.pick(('y.pow(2).mean() / 2', 'F.mse_loss(y, torch.ones(4, 4))', '(y - 1.0).abs().mean()'))}")
        keep = "" if a.careful() else a.pick(("retain_graph=True", ""))
        a.write(f"err.backward({keep})")
        with a.block(f"if (step + 1) % {a.pick((1, 2))} == 0:"):
            if a.chance(0.3):
                a.write(f"for group in {opt}.param_groups:")
                a.write(
                    a.pick(
                        (
                            '    group["lr"] *= 0.5',
                            '    nn.utils.clip_grad_norm_(group["params"], 1.0)',
                            '    for p in group["params"]: p.data.clamp_(-1, 1)',
                        )
                    )
                )
            a.write(f"{opt}.step()")
            a.write(f"{opt}.zero_grad({a.pick(('set_to_none=False', '', 'set_to_none=True'))})")
        if not a.careful():
            a.write(
                a.pick(
                    (
                        "err.backward()",
                        "(err * 2).backward()",
                        f"for p in {first}.parameters(): p.grad = None",
                        "y.sum().backward()",
                    )
                )
            )
        a.spoil()


PLOTS = (
    (8, soup), (3, supervised), (2, adversarial), (1.5, recurrent), (1, attack), (1, penalty), (1, inner_loop), (1, critic),
    (1, target_network), (1.5, trainer), (1, closures), (1.2, carried), (0.8, lbfgs), (1.2, groups),
)  # fmt: skip


def plot(a: Author) -> None:
    """Write one program."""
    a.weighted(PLOTS)(a)
    if a.chance(0.15):
        value = loss(a, 2, grad=True)
        a.write(f"n = {value.operand}.item()")
