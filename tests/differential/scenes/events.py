"""Engines and callbacks: handlers by event, hooks of trainers, forward hooks that keep features."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import backward, change, loss, net, optimizer


def engine(a: Author) -> None:
    """An engine in the manner of ignite: a step function, handlers attached by a decorator."""
    a.define("""
        class Engine:
            def __init__(self, step):
                self.step, self.handlers, self.state = step, collections.defaultdict(list), {}
            def on(self, event, *args, every=1):
                def attach(handler):
                    self.handlers[event].append((handler, args))
                    return handler
                return attach
            def fire(self, event):
                for handler, args in self.handlers[event]:
                    handler(self, *args)
            def run(self, data, epochs=1):
                for epoch in range(epochs):
                    self.fire("epoch_started")
                    for batch in data:
                        self.state["batch"] = batch
                        self.state["output"] = self.step(self, batch)
                        self.fire("iteration_completed")
                    self.fire("epoch_completed")
                return self.state
        """)
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()")}
        losses = []
        def update(engine, batch):
            {a.maybe(0.7, "net.train()")}
            opt.zero_grad()
            x, y = batch
            out = net(x)
            {change(a, "out", 0.2)}
            loss = {loss(a, "out", "y")}
            {a.maybe(0.3, "loss = loss + 0.1 * engine.state.get('output', 0.0)") if not a.careful() else ""}
            {backward(a)}
            {a.either("opt.step()", ("opt.step()", "pass"))}
            return {a.either(("loss.item()", "loss.detach()"), "loss")}
        trainer = Engine(update)
        @trainer.on("iteration_completed")
        def log(engine):
            losses.append(engine.state["output"])
            {a.either("", ("engine.state['output'].backward()", "sum(losses)", "opt.step()"))}
        {a.maybe(0.4, "trainer.on('epoch_completed', 3)(lambda engine, n: opt.zero_grad())")}
        {a.maybe(0.3, "trainer.on('epoch_started')(lambda engine: losses.clear())")}
        state = trainer.run([(torch.randn(4, 4), torch.zeros(4, 4)) for _ in range(2)], {a.one("epochs=1", "epochs=2")})
        {a.either("", ("sum(losses).backward()", "torch.stack(losses).mean().backward()"))}
        """)


def callbacks(a: Author) -> None:
    """A loop that calls the methods of callbacks by name, where they have them."""
    a.define(f"""
        class Callback:
            def on_loss(self, run): pass
            def after_backward(self, run): pass
        class Clip(Callback):
            def after_backward(self, run):
                nn.utils.clip_grad_norm_(run.net.parameters(), 1.0)
        class Smooth(Callback):
            value = None
            def on_loss(self, run):
                {a.either("self.value = run.loss.detach() if self.value is None else 0.9 * self.value + 0.1 * run.loss.detach()", ("self.value = run.loss if self.value is None else 0.9 * self.value + 0.1 * run.loss", "run.loss = run.loss + 0.1 * (0.0 if self.value is None else self.value)" + chr(10) + "self.value = run.loss"))}
        class Decay(Callback):
            def __init__(self, rate):
                self.rate = rate
            def after_step(self, run):
                for p in run.net.parameters():
                    {a.one("p.data.mul_(1 - self.rate)", "with torch.no_grad():" + chr(10) + "    p.mul_(1 - self.rate)")}
        class Run:
            def __init__(self, net, opt, callbacks=()):
                self.net, self.opt, self.callbacks = net, opt, list(callbacks)
            def __call__(self, name):
                for callback in self.callbacks:
                    method = getattr(callback, name, None)
                    if method is not None:
                        method(self)
            def one_batch(self, x, y):
                self.pred = self.net(x)
                {change(a, "self.pred", 0.2)}
                self.loss = {loss(a, "self.pred", "y")}
                self("on_loss")
                {a.one("self.opt.zero_grad()", "")}
                self.loss.backward()
                self("after_backward")
                self.opt.step()
                self("after_step")
            def fit(self, count):
                for _ in range(count):
                    {a.either("self.one_batch(torch.randn(4, 4), torch.zeros(4, 4))", ("self.one_batch(torch.randn(4, 4), getattr(self, 'pred', torch.zeros(4, 4)))", "self.one_batch(torch.randn(4, 4), torch.zeros(4, 4))"))}
        """)
    a.code(f"""
        net = {net(a)}
        run = Run(net, {optimizer(a, "net.parameters()")}, [{a.one("Clip(), Smooth()", "Smooth(), Decay(0.01)", "Decay(0.1), Clip()", "Smooth()")}])
        run.fit({a.one("1", "2", "3")})
        {a.either("", ("run.loss.backward()", "run('on_loss')", "run.pred.sum().backward()"))}
        """)


def kept_features(a: Author) -> None:
    """Forward hooks that keep what layers give, for a loss or a picture (Grad-CAM)."""
    a.code(f"""
        net = nn.Sequential(nn.Linear(4, 4), {a.one("nn.ReLU()", "nn.ReLU(inplace=True)", "nn.Tanh()")}, nn.Linear(4, 4))
        features, gradients, handles = {{}}, [], []
        def keep(name):
            def hook(module, inputs, output):
                features[name] = output{a.one("", "", ".detach()", ".clone()")}
            return hook
        for name, layer in net.named_children():
            handles.append(layer.register_forward_hook(keep(name)))
        {a.maybe(0.4, "handles.append(net[0].register_full_backward_hook(lambda m, gi, go: gradients.append(go[0])))")}
        opt = {optimizer(a, "net.parameters()")}
        for step in range(2):
            try:
                out = net(torch.randn(4, 4))
            finally:
                {a.maybe(0.3, "[h.remove() for h in handles]")}
                done = True
            if "0" in features and features["0"].requires_grad:
                {a.one("features['0'].retain_grad()", "features['0'].register_hook(lambda g: gradients.append(g))", "pass")}
            {a.maybe(0.4, "extra = features['0'].pow(2).mean() + features['2'].abs().mean()")}
            loss = out[:, 0].sum(){a.one("", " + features['2'].mean()", " + 0.1 * features['1'].pow(2).sum()")}
            opt.zero_grad()
            {backward(a)}
            {a.either("", ("features['2'].sum().backward()", "opt.step()" + chr(10) + "features['0'].sum().backward()"))}
            {a.one("opt.step()", "cam = (features['0'] * gradients[-1]).sum() if gradients else None")}
        """)


SCENES = (engine, callbacks, kept_features)
