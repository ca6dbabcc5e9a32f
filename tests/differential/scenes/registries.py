"""Networks and optimizers in dicts, lists, registries; made by factories, names and partials; flags of a config."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, loss, net, optimizer


def by_name(a: Author) -> None:
    """Everything built by name from a config, kept in dicts, walked in loops."""
    order = a.either("zero, backward, step", ("zero, step, backward", "backward, zero, step", "zero, backward, step"))
    acts = {
        "zero": "for opt in self.optimizers.values():\n    opt.zero_grad()",
        "backward": a.pick(("sum(losses.values()).backward()", "for value in losses.values():\n    value.backward(retain_graph=True)", "for name in sorted(losses):\n    losses[name].backward()", "[value.backward() for value in losses.values()]")),
        "step": a.pick(("for name, opt in self.optimizers.items():\n    opt.step()", "[opt.step() for opt in self.optimizers.values()]", "for key in self.optimizers:\n    self.optimizers[key].step()")),
    }  # fmt: skip
    lines = a.one("\n".join(acts[part] for part in order.split(", ")))
    a.define(f"""
        REGISTRY = {{}}
        def register(name=None):
            def add(cls):
                REGISTRY[name or cls.__name__] = cls
                return cls
            return add
        @register("mlp")
        class Mlp(nn.Module):
            def __init__(self, act="ReLU", inplace=False, depth=1):
                super().__init__()
                make = getattr(nn, act)
                layers = []
                for _ in range(depth):
                    layers += [nn.Linear(4, 4), make({a.one("inplace=inplace", "")})]
                self.layers = nn.Sequential(*layers)
            def forward(self, x):
                return self.layers(x)
        @register()
        class Plain(nn.Linear):
            def __init__(self, **options):
                super().__init__(4, 4)
        def build(kind, **options):
            return REGISTRY[kind](**options)
        class Solver:
            def __init__(self, config):
                self.nets = {a.one("nn.ModuleDict()", "{}")}
                self.optimizers = {{}}
                for name, (kind, options) in config["nets"].items():
                    self.nets[name] = build(kind, **options)
                    self.optimizers[name] = {a.one("getattr(torch.optim, config['optimizer'])(self.nets[name].parameters(), lr=config['lr'])", "config['make'](self.nets[name].parameters())")}
                self.config = config
            def step(self, x):
                y = x
                for net in self.nets.values():
                    y = net(y)
                    {change(a, "y", 0.2)}
                losses = {{"a": {loss(a, "y", "x")}, "b": y.abs().mean()}}
                if not self.config.get("regular", True):
                    losses.pop("b")
                {lines}
                return losses
        """)
    a.code(f"""
        config = {{
            "nets": {{"enc": ("mlp", {{"act": {a.one('"ReLU"', '"LeakyReLU"', '"ELU"')}, "inplace": {a.one("True", "False")}, "depth": {a.one("1", "2")}}}), "dec": ("Plain", {{}})}},
            "optimizer": {a.one('"SGD"', '"Adam"', '"RMSprop"')}, "lr": 0.1, "regular": {a.one("True", "False")},
            "make": functools.partial(torch.optim.{a.one("SGD", "AdamW")}, lr=0.1),
        }}
        solver = Solver(config)
        for step in range(2):
            losses = solver.step(torch.randn(4, 4))
        {a.either("", ("losses['a'].backward()", "[l.backward() for l in losses.values()]"))}
        """)


def several(a: Author) -> None:
    """Lists of networks with lists of optimizers: ensembles, mutual learning, alternating turns."""
    targets = a.either("outs[j].detach()", ("outs[j]", "outs[j].detach()", "outs[j].data"))
    a.code(f"""
        nets = [{net(a)} for _ in range({a.one("2", "3")})]
        opts = [{optimizer(a, "n.parameters()")} for n in nets]
        for step in range(2):
            x = torch.randn(4, 4)
            outs = [n(x) for n in nets]
            {a.maybe(0.3, "mean = sum(outs) / len(outs)")}
            losses = []
            for i, out in enumerate(outs):
                loss = F.mse_loss(out, torch.zeros(4, 4))
                for j in range(len(outs)):
                    if i != j:
                        loss {a.one("+=", "= loss +")} F.mse_loss(out, {targets})
                losses.append(loss)
            {a.maybe(0.3, "x = outs[0]")}
            for opt, loss in zip(opts, losses):
                opt.zero_grad()
                loss.backward({a.either("", ("retain_graph=True", ""))})
                opt.step()
            {a.maybe(0.2, "nets, opts = nets[::-1], opts[::-1]")}
        """)


def turns(a: Author) -> None:
    """One network's turn after the other by flags, counters and modulo."""
    a.define(f"""
        def make(kind, net, lr=0.1, **kwargs):
            table = dict(sgd=torch.optim.SGD, adam=functools.partial(torch.optim.Adam, betas=(0.5, 0.9)))
            return table[kind](filter(lambda p: p.requires_grad, net.parameters()), lr=lr, **kwargs)
        class Turns:
            critic_steps = {a.one("1", "2")}
            def __init__(self, **flags):
                for name, value in flags.items():
                    setattr(self, name, value)
                self.nets = dict(main={net(a)}, critic={net(a)})
                self.opts = {{name: make({a.one('"sgd"', '"adam"')}, net) for name, net in self.nets.items()}}
            def __getattr__(self, name):
                if name.startswith("net_"):
                    return self.__dict__["nets"][name[4:]]
                raise AttributeError(name)
            def run(self, count):
                shared = {a.either("None", "self.net_main(torch.ones(4, 4))")}
                for index in range(count):
                    made = self.net_main(torch.randn(4, 4)) if shared is None else shared
                    {change(a, "made", 0.2)}
                    if index % (self.critic_steps + 1) < self.critic_steps:
                        name, value = "critic", self.net_critic(made{a.either(".detach()", "")}).mean()
                    else:
                        name, value = "main", -self.net_critic(made).mean()
                    opt = self.opts[name]
                    opt.zero_grad()
                    if getattr(self, "penalty", False):
                        value = value + {a.one("made.pow(2).mean()", "sum(p.pow(2).sum() for p in self.nets[name].parameters())")}
                    value.backward({a.maybe(0.2, "retain_graph=self.keep")})
                    if hasattr(self, "clip"):
                        nn.utils.clip_grad_norm_(self.nets[name].parameters(), self.clip)
                    opt.step()
        """)
    a.code(f"""
        Turns({a.one("keep=False", "keep=True", "keep=False, penalty=True", "keep=True, clip=1.0", "keep=False, penalty=True, clip=0.1")}).run({a.one("2", "3")})
        """)


SCENES = (by_name, several, turns)
