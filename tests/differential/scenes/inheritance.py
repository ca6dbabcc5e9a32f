"""Base classes that own the loop, children that own the loss: templates, mixins, abstract methods, super()."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import backward, change, loss, net, optimizer


def template(a: Author) -> None:
    """A trainer whose children say what a step is."""
    a.define(f"""
        class BaseTrainer:
            def __init__(self, config):
                self.config, self.optimizers, self.step_count = config, [], 0
                self.build()
            def build(self):
                raise NotImplementedError
            def losses(self, batch):
                raise NotImplementedError
            def zero(self):
                for opt in self.optimizers:
                    opt.zero_grad()
            def step(self):
                for opt in self.optimizers:
                    opt.step()
            def train_step(self, batch):
                {a.either("self.zero()", "")}
                terms = self.losses(batch)
                total = {a.one("sum(terms.values())", "sum(w * terms[k] for k, w in self.config['weights'].items())", "torch.stack(list(terms.values())).sum()")}
                total.backward({a.maybe(0.1, "retain_graph=True")})
                self.step()
                self.step_count += 1
                return {{k: v{a.either((".item()", ".detach()"), "")} for k, v in terms.items()}}
            def fit(self, count=2):
                history = []
                for _ in range(count):
                    history.append(self.train_step(torch.randn(4, 4)))
                return history
        class Autoencoder(BaseTrainer):
            def build(self):
                self.enc, self.dec = {net(a)}, {net(a)}
                self.optimizers {a.one("+=", "= self.optimizers +")} [{optimizer(a, "self.enc.parameters()")}, {optimizer(a, "self.dec.parameters()")}]
                self.last = {a.one("None", "torch.zeros(4, 4)")}
            def losses(self, batch):
                code = self.enc(batch)
                {change(a, "code", 0.3)}
                out = {{"rec": {loss(a, "self.dec(code)", "batch")}, "reg": code.pow(2).mean()}}
                if self.last is not None:
                    out["reg"] = out["reg"] + {a.one("F.l1_loss(code, self.last)", "(code - self.last).abs().mean()")}
                self.last = {a.either(("code.detach()", "code.data.clone()"), ("code", "self.last"))}
                return out
        class Regular(Autoencoder):
            def losses(self, batch):
                out = super().losses(batch)
                out["rec"] {a.one("= out['rec'] * 2", "*= 2", "= out['rec'] + 0.1 * sum(p.pow(2).sum() for p in self.enc.parameters())")}
                return out
        """)
    a.code(f"""
        trainer = {a.one("Autoencoder", "Regular")}({{"weights": {{"rec": 1.0, "reg": 0.1}}}})
        history = trainer.fit({a.one("1", "2", "3")})
        {a.either("", ("sum(h['rec'] for h in history).backward()", "trainer.step()" + chr(10) + "history[-1]['rec'].backward()"))}
        """)


def mixins(a: Author) -> None:
    """Mixins over a module; methods resolved along several bases."""
    a.define(f"""
        class Named:
            names = ("out",)
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.logged = {{}}
            def log(self, name, value):
                self.logged[name] = value
        class Stateful:
            state = None
            def carry(self, x):
                if self.state is not None:
                    x = {a.one("x + self.state", "x * 0.5 + self.state * 0.5", "torch.lerp(x, self.state, 0.5)")}
                self.state = {a.either(("x.detach()", "x.detach().clone()"), ("x", "x.clone()"))}
                return x
        class Body(nn.Module):
            def __init__(self, width=4, act=None):
                super().__init__()
                self.net = {net(a)}
                self.act = act or nn.Identity()
            def forward(self, x):
                return self.act(self.net(x))
        class Model(Named, Stateful, Body):
            def forward(self, x):
                y = super().forward(x)
                {change(a, "y", 0.3)}
                y = self.carry(y)
                self.log("out", y)
                return y
        """)
    a.code(f"""
        model = Model({a.one("", "4", "width=4", "act=nn.ReLU(inplace=True)", "act=torch.tanh")})
        opt = {optimizer(a, "model.parameters()")}
        {a.maybe(0.2, "model.state = model.net(torch.zeros(4, 4))")}
        for step in range(2):
            loss = {loss(a, "model(torch.randn(4, 4))", "torch.zeros(4, 4)")}
            {a.maybe(0.3, "loss = loss + model.logged['out'].abs().mean()")}
            opt.zero_grad()
            {backward(a)}
            opt.step()
        {a.either("", ("model.logged['out'].sum().backward()", "model.state.sum().backward()"))}
        """)


def lightning(a: Author) -> None:
    """A module that knows its training step and its optimizers; a small trainer drives it."""
    a.define(f"""
        class Module(nn.Module):
            automatic_optimization = True
            def __init__(self):
                super().__init__()
                self.a, self.b = {net(a)}, {net(a)}
            def configure_optimizers(self):
                first, second = {optimizer(a, "self.a.parameters()")}, {optimizer(a, "self.b.parameters()")}
                return {a.one("[first, second], []", "[first, second], [torch.optim.lr_scheduler.StepLR(first, 1)]")}
            def training_step(self, batch, batch_idx, optimizer_idx):
                if optimizer_idx == 0:
                    {a.one("self.made = self.a(batch)", "self.made = self.a(batch)", "self.made = self.b(self.a(batch))")}
                    {change(a, "self.made", 0.2)}
                    return {{"loss": {loss(a, "self.b(self.made)", "batch")}}}
                if optimizer_idx == 1:
                    return {loss(a, a.either(("self.b(self.made.detach())", "self.b(self.a(batch).detach())"), ("self.b(self.made)", "self.b(self.a(batch))")), "torch.zeros(4, 4)")}
        def fit(module, batches):
            opts, scheds = module.configure_optimizers()
            for index, batch in enumerate(batches):
                for number, opt in enumerate(opts):
                    result = module.training_step(batch, index, number)
                    loss = result["loss"] if isinstance(result, dict) else result
                    opt.zero_grad()
                    {a.one("loss.backward()", "loss.backward()", "loss.backward(retain_graph=True)")}
                    opt.step()
                for sched in scheds:
                    sched.step()
            return loss
        """)
    a.code(f"""
        module = Module()
        loss = fit(module, {a.one("[torch.randn(4, 4) for _ in range(2)]", "DataLoader(torch.randn(8, 4), batch_size=4)", "batches(2)")})
        {a.either("", ("loss.backward()", "(loss + module.made.sum()).backward()"))}
        """)


SCENES = (template, mixins, lightning)
