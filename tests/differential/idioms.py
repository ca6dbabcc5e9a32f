"""Random statements of how people write training code: errors caught, hooks, copies, state dicts, holders, scalers."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from collections.abc import Callable

from tests.differential import modules
from tests.differential.author import MATRIX, SCALAR, Author, Var
from tests.differential.expressions import atom, loss, tensor
from tests.differential.mutations import mutate

CATCHES = (
    (4, "except RuntimeError:"), (2, "except RuntimeError as error:"), (1, "except Exception:"), (1, "except (RuntimeError, ValueError):"),
    (0.5, "except (KeyError, TypeError):"), (0.5, "except:"), (0.5, "except ValueError:"),
)  # fmt: skip


def caught(a: Author) -> None:
    """What torch refuses is caught by the program, which goes on."""
    helper = a.chance(0.3) and a.at_module_level
    name = a.fresh("risky")
    if helper:
        with a.definition(f"def {name}():", {}):
            _risk(a)
            a.write(f"return {tensor(a, MATRIX, 1).text}")
    result = a.fresh("x")
    a.write(f"{result} = {tensor(a, MATRIX, 1).text}")
    a.bind(result, Var("tensor", MATRIX, True, True))
    with a.block("try:"):
        if helper:
            a.write(f"{result} = {name}()")
        else:
            _risk(a)
            if a.chance(0.5):
                a.write(f"{result} = {tensor(a, MATRIX, 1).text}")
    handler = a.weighted(CATCHES)
    with a.block(handler):
        a.write(a.pick((f"{result} = torch.zeros(4, 4)", "pass", f"{result} = {result}.detach()", "failed = True")))
    if a.chance(0.25):
        with a.block("else:"):
            a.write(f"{result} = {result} * 2.0")
    if a.chance(0.25):
        with a.block("finally:"):
            a.write("done = True")
    a.spoil()


def _risk(a: Author) -> None:
    options = a.find("tensor", lambda var: var.leaf)
    form = a.pick(("backward", "mutate", "leaf", "mutate"))
    if form == "leaf" and options:
        a.write(a.pick(("{0}.add_(1.0)", "{0}.mul_(2.0)", "{0}[0] = 0.0", "{0}.zero_()")).format(a.pick(options)))
        return
    if form == "mutate":
        mutate(a)
    name = a.fresh("loss")
    value = loss(a, 2, grad=True)
    a.write(f"{name} = {value.text}")
    a.write(f"{name}.backward({a.pick(('', '', 'retain_graph=True'))})")
    if a.chance(0.5):
        a.write(f"{name}.backward()")


def hooks(a: Author) -> None:
    """Hooks of tensors, parameters and modules, kept or removed."""
    nets = a.find("module", lambda var: var.grad)
    tensors = a.find("tensor", lambda var: var.shape == MATRIX and var.grad)
    form = a.pick(("tensor", "tensor", "module", "parameter"))
    if form == "tensor" and tensors:
        name = a.pick(tensors)
        with a.block(f"if {name}.requires_grad:"):
            kind = a.pick(("plain", "removed", "list", "inplace", "function"))
            if kind == "plain":
                a.write(
                    f"{name}.register_hook({a.pick(('lambda g: g * 0.5', 'lambda g: g.clone()', 'lambda g: -g', 'lambda g: torch.zeros_like(g)', 'lambda g: None', 'print'))})"
                )
            elif kind == "removed":
                a.write(f"handle = {name}.register_hook(lambda g: g * 2.0)")
                a.write("handle.remove()")
            elif kind == "list":
                a.write("seen = []")
                a.write(f"{name}.register_hook({a.pick(('seen.append', 'lambda g: seen.append(g)'))})")
            elif kind == "inplace":
                a.write(f"{name}.register_hook(lambda g: g.{a.pick(('clone().mul_(2.0)', 'add(1.0)', 'detach()'))})")
            else:
                with a.block("def on_grad(g):"):
                    a.write(a.pick(("return g.clamp(-1.0, 1.0)", "pass", "g = g * 2.0", "return torch.nan_to_num(g)")))
                a.write(f"{name}.register_hook(on_grad)")
        return
    if not nets:
        return
    net = a.pick(nets)
    if form == "parameter":
        with a.block(f"for p in {net}.parameters():"), a.block("if p.requires_grad:"):
            a.write(a.pick(("p.register_hook(lambda g: g * 0.1)", "p.register_hook(lambda g: g.clamp(-1, 1))",
                            "p.register_post_accumulate_grad_hook(lambda p: None)", "p.retain_grad()")))  # fmt: skip
        return
    a.write(
        a.pick(("{0}.register_forward_hook(lambda m, i, o: None)", "{0}.register_forward_hook(lambda m, i, o: o * 2.0)",
                "{0}.register_forward_pre_hook(lambda m, i: None)", "{0}.register_forward_pre_hook(lambda m, i: (i[0] * 0.5,))",
                "{0}.register_forward_hook(lambda m, i, o: o.detach())", "{0}.register_forward_hook(lambda m, i, o: kept.append(o))")
               if not a.careful() else ("{0}.register_forward_hook(lambda m, i, o: None)", "{0}.register_forward_hook(lambda m, i, o: o + 0.0)"))
        .format(net).replace("kept.append(o)", "None")
    )  # fmt: skip


def copies(a: Author) -> None:
    """Copies of modules, parts of a Sequential, and weights loaded between a forward and its backward."""
    nets = a.find("module", lambda var: var.grad)
    if not nets:
        return
    net, name = a.pick(nets), a.fresh("copy")
    form = a.pick(("deepcopy", "slice", "load", "assign", "saved", "list"))
    if form == "deepcopy":
        a.write(f"{name} = copy.deepcopy({net})")
        a.bind(name, Var("module", MATRIX, grad=True))
    elif form == "list":
        a.write(f"{name} = nn.Sequential(*[copy.deepcopy({net}) for _ in range(2)])")
        a.bind(name, Var("module", MATRIX, grad=True))
    elif form == "slice":
        whole = a.fresh("net")
        a.write(f"{whole} = {modules.sequential(a)}")
        a.bind(whole, Var("module", MATRIX, grad=True))
        a.write(
            f"{name} = {a.pick(('{0}[:1]', '{0}[:-1]', '{0}[1:]', '{0}[0]', 'nn.Sequential(*list({0}.children())[:1])', 'nn.Sequential(*{0})', '{0} + {0}')).format(whole)}"
        )
        a.bind(name, Var("module", MATRIX, grad=True))
    else:
        result = a.fresh("x")
        a.write(f"{result} = {net}({tensor(a, MATRIX, 1).text})")
        a.bind(result, Var("tensor", MATRIX, a.scope.recording))
        state = {
            "load": "{0}.load_state_dict({{k: v.clone() for k, v in {0}.state_dict().items()}})",
            "assign": "{0}.load_state_dict({{k: v.clone() for k, v in {0}.state_dict().items()}}, assign=True)",
            "saved": "best = copy.deepcopy({0}.state_dict())",
        }[form]
        a.write(state.format(net))
        if form == "saved" and a.chance(0.7):
            with a.block("with torch.no_grad():"), a.block(f"for p in {net}.parameters():"):
                a.write("p.add_(0.1)")
            a.write(f"{net}.load_state_dict(best)")
        a.write(
            f"{result}.{a.pick(('sum()', 'mean()', 'pow(2).sum()'))}.backward()"
            if a.chance(0.6) and a.scope.recording
            else f"{result} = {result} + 1.0"
        )
        a.spoil()


def holders(a: Author) -> None:
    """Tensors in named tuples, data classes and deques, read back and replaced."""
    name, first, second = a.fresh("held"), tensor(a, MATRIX, 2), tensor(a, MATRIX, 1)
    grad, stale = first.grad or second.grad, first.stale or second.stale
    form = a.pick(("named", "typed", "data", "deque", "default"))
    result = a.fresh("x")
    if form in ("named", "typed", "data"):
        kind = a.fresh("Held")
        if form == "named":
            a.definitions.extend([f'{kind} = collections.namedtuple("{kind}", ["one", "two"])', ""])
        elif form == "typed":
            a.definitions.extend(
                [f"class {kind}(typing.NamedTuple):", "    one: torch.Tensor", "    two: torch.Tensor", ""]
            )
        else:
            a.definitions.extend(["@dataclass", f"class {kind}:", "    one: torch.Tensor", "    two: torch.Tensor = None", "",
                                  "    def total(self):", "        return self.one + self.two", ""])  # fmt: skip
        a.write(
            f"{name} = {kind}({a.pick(('{0}, {1}', 'one={0}, two={1}', '{0}, two={1}')).format(first.text, second.text)})"
        )
        if form == "data":
            change = a.pick(
                (
                    "{0}.one = {0}.one * 2.0",
                    "{0}.one += {0}.two",
                    "{0}.two = None or {0}.one",
                    "pass",
                    "{0}.two = {0}.two.detach()",
                )
            )
        else:
            change = a.pick(
                (
                    "{0} = {0}._replace(one={0}.two)",
                    "one, two = {0}",
                    "pass",
                    "{0}.one.add_(1.0)" if not a.careful() else "pass",
                )
            )
        a.write(change.format(name))
        read = (
            "{0}.one",
            "{0}.two * 1.0",
            "{0}.one @ {0}.two",
            *(("{0}.total()",) if form == "data" else ("{0}[0]", "sum({0})")),
        )
        a.write(f"{result} = {a.pick(read).format(name)}")
    elif form == "deque":
        a.write(f"{name} = deque([{first.text}], maxlen=2)")
        a.write(
            a.pick(("{0}.append({1})", "{0}.appendleft({1})", "{0}.extend([{1}, {1}])", "{0}.rotate(1)")).format(
                name, second.text
            )
        )
        a.write(
            f"{result} = {a.pick(('{0}.popleft()', '{0}.pop()', 'sum({0})', '{0}[-1]', 'torch.stack(list({0})).sum(0)')).format(name)}"
        )
    else:
        a.write(f"{name} = collections.defaultdict(list)")
        a.write(f'{name}["a"].append({first.text})')
        a.write(f'{name}["a"].append({second.text})')
        a.write(
            f"{result} = {a.pick(('sum({0}[%s])', '{0}[%s].pop()', '{0}[%s][0]', 'torch.stack({0}[%s])[1]')).replace('%s', repr('a')).format(name)}"
        )
    a.bind(result, Var("tensor", MATRIX, grad and a.scope.recording, stale))


def inherited(a: Author) -> None:
    """A class that extends another one's forward, with a property."""
    base, child, net = a.fresh("Base"), a.fresh("Child"), a.fresh("net")
    layer = modules.layer(a)
    extra = a.pick(
        (
            "y = super().forward(x)",
            "y = super().forward(x) + x",
            "y = super().forward(x * 1.0)",
            "y = Base.forward(self, x)".replace("Base", base),
        )
    )
    change = a.pick(("y = y * self.gain", "y = y + self.gain", "y = F.relu(y)", "y = self.extra(y)")) if a.careful() else a.pick(
        ("y *= self.gain", "y += self.gain", "y.relu_()", "self.gain.mul_(0.5)", "self.kept = y", "y = y + self.kept\n        self.kept = y")
    )  # fmt: skip
    a.definitions.extend([
        f"class {base}(nn.Module):", "    def __init__(self, width=4):", "        super().__init__()", f"        self.body = {layer}",
        "        self.kept = torch.zeros(4, 4)", "", "    @property", "    def gain(self):",
        f"        return {a.pick(('self.scale', 'self.scale.exp()', 'self.scale * 2.0', 'next(self.body.parameters()).mean()'))}", "",
        "    def forward(self, x):", "        return self.body(x)", "",
        f"class {child}({base}):", "    def __init__(self):", f"        super().__init__({a.pick(('', '4', 'width=4'))})", "        self.extra = nn.Linear(4, 4)",
        "        self.scale = nn.Parameter(torch.ones(4))", "", "    def forward(self, x):", f"        {extra}", f"        {change}", "        return y", "",
    ])  # fmt: skip
    a.write(f"{net} = {child}()")
    a.bind(net, Var("module", MATRIX, grad=True))
    result = a.fresh("x")
    a.write(f"{result} = {net}({tensor(a, MATRIX, 1).text})")
    a.bind(result, Var("tensor", MATRIX, a.scope.recording))


def produced(a: Author) -> None:
    """A generator that yields within a ``with`` block: what it switches stays switched for whoever consumes it."""
    name = a.fresh("stream")
    head = a.pick(
        (
            "with torch.no_grad():",
            "with torch.no_grad():",
            "with torch.enable_grad():",
            "with torch.set_grad_enabled(False):",
        )
    )
    decorated = a.chance(0.3)
    body = a.pick(("yield t * i", "yield t + 1.0", "yield t", "t = t * 0.5\n            yield t"))
    a.definitions.extend([
        *([a.pick(("@torch.no_grad()", "@torch.enable_grad()"))] if decorated else []),
        f"def {name}(t, count=2):", *([] if decorated else [f"    {head}"]), "        for i in range(count):" if not decorated else "    for i in range(count):",
        *[f"            {line.strip()}" if not decorated else f"        {line.strip()}" for line in body.split("\n")], "",
    ])  # fmt: skip
    value = atom(a, MATRIX, grad=True)
    result = a.fresh("x")
    form = a.pick(("list", "loop", "next", "partial"))
    if form == "list":
        a.write(f"{result} = sum(list({name}({value.text})))")
    elif form == "next":
        a.write(f"{result} = next({name}({value.text}))")
    elif form == "partial":
        a.write(f"{result} = torch.zeros(4, 4)")
        with a.block(f"for t in {name}({value.text}, 3):"):
            a.write(f"{result} = t * 2.0")
            a.write("break")
    else:
        a.write(f"{result} = torch.zeros(4, 4)")
        with a.block(f"for t in {name}({value.text}):"):
            a.write(f"{result} = {result} + {a.pick(('t', 't * 2.0', 'F.relu(t)'))}")
    a.bind(result, Var("tensor", MATRIX, value.grad and a.scope.recording, value.stale))


def counted(a: Author) -> None:
    """A closure whose state is rebound with ``nonlocal``, sometimes under a grad mode."""
    outer, use, result = a.fresh("outer"), a.fresh("fn"), a.fresh("x")
    update = (
        a.pick(("total = (total + t).detach()", "total = total * 0.9 + t.detach()"))
        if a.careful()
        else a.pick(("total = total + t", "total += t", "total = t * total", "total, t = t, total"))
    )
    a.definitions.extend([
        f"def {outer}():", "    total = torch.zeros(4, 4)", "    calls = 0", "", "    def inner(t):", "        nonlocal total, calls", "        calls += 1",
        *([f"        {update}"] if a.chance(0.7) else ["        with torch.no_grad():", f"            {update}"]), f"        return {a.pick(('total', 'total * 2.0', 't + total', '(total if calls else t)'))}",
        "", "    return inner", "",
    ])  # fmt: skip
    a.write(f"{use} = {outer}()")
    a.bind(use, Var("function", MATRIX, size=1))
    for _ in range(a.rng.randint(1, 2)):
        a.write(f"{result} = {use}({tensor(a, MATRIX, 1, grad=True).text})")
        a.bind(result, Var("tensor", MATRIX, a.scope.recording))
        if a.chance(0.4) and not a.careful():
            a.write(f"{result}.sum().backward()")
            a.spoil()


def scaler(a: Author) -> None:
    """A step through a GradScaler that is switched off, as on a machine without a GPU."""
    optimizers = a.find("optimizer")
    if not optimizers or not a.scope.recording:
        return
    opt, name = a.pick(optimizers), a.fresh("loss")
    value = loss(a, 2, grad=True)
    a.write(
        a.pick(
            (
                'scaler = torch.amp.GradScaler("cpu", enabled=False)',
                "scaler = torch.cuda.amp.GradScaler(enabled=False)",
                "scaler = torch.amp.GradScaler(enabled=False)",
            )
        )
    )
    a.write(f"{name} = {value.text}")
    a.bind(name, Var("tensor", SCALAR, True))
    with a.block(f"if {name}.requires_grad:"):
        lines = [f"scaler.scale({name}).backward()", f"scaler.step({opt})", "scaler.update()"]
        if a.chance(0.3):
            lines.insert(1, f"scaler.unscale_({opt})")
        if not a.careful():
            a.rng.shuffle(lines)
        for line in lines:
            a.write(line)
        if a.chance(0.4):
            a.write(f"{opt}.zero_grad(set_to_none={a.pick(('True', 'False'))})")
    a.spoil()


STATEMENTS: tuple[tuple[float, Callable[[Author], None]], ...] = (
    (2, caught), (1.2, hooks), (1.2, copies), (1.2, holders), (1, inherited), (1, produced), (1, counted), (0.8, scaler),
)  # fmt: skip
