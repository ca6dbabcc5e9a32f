"""The language itself around tensors: data classes, properties, match, walrus, named tuples, operators, enums."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, loss, net, optimizer, update


def records(a: Author) -> None:
    """Data classes and named tuples as outputs, replaced and unpacked."""
    kind = a.pick(("dataclass", "frozen", "typed"))
    head = {
        "dataclass": "@dataclass\nclass Output:",
        "frozen": "@dataclass(frozen=True)\nclass Output:",
        "typed": "class Output(typing.NamedTuple):",
    }[kind]
    replaced = (
        "out._replace(hidden=out.hidden.detach())"
        if kind == "typed"
        else "Output(**{**vars(out), 'hidden': out.hidden.detach()})"
        if a.chance(0.5)
        else "__import__('dataclasses').replace(out, hidden=out.hidden.detach())"
    )
    a.define(f"""
        {a.one(head)}
            logits: torch.Tensor
            hidden: torch.Tensor
            loss: typing.Optional[torch.Tensor] = None
            @property
            def norm(self):
                return self.hidden.{a.one("pow(2).mean()", "norm()", "abs().sum()")}
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.body, self.head = {net(a)}, nn.Linear(4, 4)
            def forward(self, x, labels=None, *, hidden=None):
                h = self.body(x if hidden is None else x + hidden)
                {change(a, "h", 0.3)}
                logits = self.head(h)
                {change(a, "h", 0.2)}
                loss = None
                if labels is not None:
                    loss = {loss(a, "logits", "labels")}
                return Output(logits, h, loss=loss)
        """)
    a.code(f"""
        model = Model()
        opt = {optimizer(a, "model.parameters()")}
        carried = None
        for step in range(2):
            out = model(torch.randn(4, 4), labels=torch.zeros(4, 4), hidden=carried)
            loss = out.loss{a.one("", " + out.norm", " + 0.1 * out.norm")}
            {update(a, "opt")}
            {a.either((f"carried = {replaced}.hidden", "carried = out.hidden.detach()"), ("carried = out.hidden", f"carried = {replaced}.hidden"))}
        {a.either("", "(out.logits + carried).sum().backward()")}
        """)


def dispatch(a: Author) -> None:
    """A loss and a step chosen by match, by a dict of functions, by getattr, by a conditional import of flags."""
    a.define(f"""
        def criterion(mode, out, y):
            match mode:
                case "mse":
                    return F.mse_loss(out, y)
                case "abs" | "l1":
                    return {a.one("F.l1_loss(out, y)", "(out - y).abs().mean()")}
                case ("weighted", float(w)):
                    return w * (out - y).pow(2).mean()
                case {{"kind": "sum", **rest}}:
                    return (out - y).pow(2).sum() * rest.get("scale", 1.0)
                case [first, *others]:
                    return criterion(first, out, y) + sum(criterion(o, out, y) for o in others)
                case _:
                    raise ValueError(mode)
        CHANGES = {{
            "none": lambda t: t,
            "relu": F.relu,
            "relu_": {a.one("functools.partial(F.relu, inplace=True)", "torch.relu_", "lambda t: t.relu_()")},
            "scale": {a.one("lambda t: t * 2", "lambda t: t.mul_(2)", "functools.partial(torch.mul, torch.tensor(2.0))")},
            "exp": torch.exp,
        }}
        """)
    mode = a.one('"mse"', '"l1"', '("weighted", 0.5)', '{"kind": "sum", "scale": 0.1}', '["mse", "abs"]')
    a.code(f"""
        net, head = {net(a)}, {net(a)}
        config = {{"change": {a.one('"none"', '"relu"', '"relu_"', '"scale"', '"exp"')}, "clip": {a.one("None", "1.0")}, "twice": {a.one("False", "False", "True")}}}
        opt = getattr(torch.optim, {a.one('"SGD"', '"Adam"', '"AdamW"')})([*net.parameters(), *head.parameters()], lr=0.1)
        for step in range(2):
            h = CHANGES[config["change"]](net(torch.randn(4, 4)))
            {a.maybe(0.3, "h = CHANGES['relu_'](h)")}
            out = head(h)
            {change(a, "h", 0.3)}
            loss = criterion({mode}, out, torch.zeros(4, 4))
            if (clip := config.get("clip")) is not None:
                nn.utils.clip_grad_norm_(net.parameters(), clip)
            loss.backward({a.one("", "retain_graph=config['twice']")})
            if config["twice"]:
                loss.backward()
            opt.step()
            opt.zero_grad()
        """)


def operators(a: Author) -> None:
    """A class with operators, properties with setters, class attributes, slots and static state."""
    a.define(f"""
        class Value:
            total = 0
            def __init__(self, data, history=()):
                self._data = data
                self.history = list(history)
            @property
            def data(self):
                return self._data
            @data.setter
            def data(self, new):
                {a.one("self._data = new", "self._data.copy_(new)" if not a.careful() else "self._data = new.clone()", "self._data = new.detach()")}
            def __add__(self, other):
                return Value(self._data + (other._data if isinstance(other, Value) else other), self.history)
            def __mul__(self, other):
                return Value(self._data * other, [*self.history, self])
            __radd__ = __add__
            __rmul__ = __mul__
            def __iadd__(self, other):
                {a.either("self._data = self._data + other", "self._data += other")}
                return self
            def __call__(self, fn):
                return Value(fn(self._data), self.history)
            def __bool__(self):
                return self._data is not None
            def __iter__(self):
                yield from self.history
                yield self
            def __len__(self):
                return len(self.history) + 1
            def __contains__(self, item):
                return any(item is h for h in self.history)
        """)
    a.code(f"""
        w = torch.randn(4, 4, requires_grad=True)
        net = {net(a)}
        opt = {optimizer(a, "[w, *net.parameters()]")}
        for step in range(2):
            value = Value(w) * 2.0
            value = {a.one("value + 1.0", "1.0 + value", "0.5 * value", "value(torch.exp)", "value(net)")}
            {a.one("value += torch.randn(4, 4)", "value.data = value.data * 2", "value = value(torch.tanh)")}
            {a.maybe(0.3, "value *= 2.0")}
            {a.maybe(0.3, "value.data.mul_(0.5)") if not a.careful() else ""}
            loss = sum({a.one("v.data.pow(2).mean()", "v.data.sum()", "(v.data * v.data).sum()")} for v in value{a.maybe(0.4, " if v")})
            opt.zero_grad()
            loss.backward({a.maybe(0.1, "retain_graph=True")})
            opt.step()
            {a.either("", ("value.data.sum().backward()", "(value + 1).data.exp().sum().backward()"))}
        """)


SCENES = (records, dispatch, operators)
