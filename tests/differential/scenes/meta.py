"""Learning to learn: inner loops whose steps are differentiated, fast weights, implicit steps."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, loss, net, optimizer


def fast_weights(a: Author) -> None:
    """MAML with weights in a list."""
    create = a.either("create_graph=True", ("create_graph=False", "retain_graph=True", "create_graph=True"))
    a.define(f"""
        def forward(x, params):
            for w, b in zip(params[::2], params[1::2]):
                x = {a.one("torch.tanh(F.linear(x, w, b))", "F.linear(x, w, b).relu()", "F.linear(x, w, b)")}
            return x
        def adapt(params, x, y, steps={a.one("1", "2")}, lr=0.1):
            fast = {a.one("list(params)", "params", "[p.clone() for p in params]")}
            for _ in range(steps):
                loss = F.mse_loss(forward(x, fast), y)
                grads = torch.autograd.grad(loss, fast, {create})
                fast = {a.either(("[w - lr * g for w, g in zip(fast, grads)]", "list(map(lambda p: p[0] - lr * p[1], zip(fast, grads)))"), ("[w.sub_(lr * g) for w, g in zip(fast, grads)]", "[(w - lr * g).detach() for w, g in zip(fast, grads)]", "[w.data - lr * g for w, g in zip(fast, grads)]", "[w - lr * g for w, g in zip(params, grads)]"))}
            return fast
        """)
    a.code(f"""
        params = [torch.randn(4, 4).requires_grad_() if i % 2 == 0 else torch.zeros(4, requires_grad=True) for i in range({a.one("2", "4")})]
        opt = {optimizer(a, "params")}
        for step in range(2):
            outer = {a.one("0.0", "torch.tensor(0.0)")}
            for task in range(2):
                x, y = torch.randn(4, 4), torch.randn(4, 4)
                fast = adapt(params, x, y)
                out = forward(x, fast)
                {change(a, "out", 0.2)}
                term = {loss(a, "out", "y")}
                {a.one("outer = outer + term", "outer += term", "outer = term")}
            opt.zero_grad()
            outer.backward()
            opt.step()
        """)


def named_weights(a: Author) -> None:
    """MAML over the parameters of a module, called with other weights."""
    call = a.one("torch.func.functional_call(net, fast, (x,))", "torch.func.functional_call(net, fast, x)")
    a.code(f"""
        net = {net(a)}
        meta = {optimizer(a, "net.parameters()")}
        for step in range(2):
            x, y = torch.randn(4, 4), torch.randn(4, 4)
            fast = {a.one("dict(net.named_parameters())", "{name: p for name, p in net.named_parameters()}", "{name: p.clone() for name, p in net.named_parameters()}")}
            for _ in range({a.one("1", "2")}):
                out = {call}
                {change(a, "out", 0.1)}
                loss = {loss(a, "out", "y")}
                grads = torch.autograd.grad(loss, {a.one("list(fast.values())", "tuple(fast.values())", "fast.values()")}, create_graph={a.either("True", "False")}, allow_unused=True)
                fast = {{name: p if g is None else p - 0.1 * g for (name, p), g in zip(fast.items(), grads)}}
            query = {loss(a, call, "y")}
            meta.zero_grad()
            query.backward()
            {a.maybe(0.2, "loss.backward()")}
            meta.step()
        """)


def reptile(a: Author) -> None:
    """Copies trained in the inner loop, weights moved towards them; first-order MAML by copied gradients."""
    outer = a.either(
        ("with torch.no_grad():\n    for p, q in zip(net.parameters(), inner.parameters()):\n        p.add_(0.1 * (q - p))", "for p, q in zip(net.parameters(), inner.parameters()):\n    p.grad = q.grad.clone()\nopt.step()",
         "for p, q in zip(net.parameters(), inner.parameters()):\n    p.data.add_(q.data - p.data, alpha=0.1)", "net.load_state_dict({k: v + 0.1 * (inner.state_dict()[k] - v) for k, v in net.state_dict().items()})"),
        ("for p, q in zip(net.parameters(), inner.parameters()):\n    p.add_(0.1 * (q - p))", "for p, q in zip(net.parameters(), inner.parameters()):\n    p.grad = q.grad\nopt.step()", "for p, q in zip(net.parameters(), inner.parameters()):\n    p += 0.1 * (q.detach() - p)"),
    )  # fmt: skip
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()")}
        for step in range(2):
            {a.one("inner = copy.deepcopy(net)", "inner = copy.deepcopy(net)", "inner = net")}
            inner_opt = torch.optim.SGD(inner.parameters(), lr=0.1)
            x, y = torch.randn(4, 4), torch.randn(4, 4)
            out = inner(x)
            for _ in range(2):
                loss = {loss(a, "inner(x)", "y")}
                inner_opt.zero_grad()
                loss.backward()
                inner_opt.step()
            {a.maybe(0.3, "loss = " + loss(a, "inner(x)", "y") + chr(10) + "loss.backward()")}
            {a.maybe(0.3, "net.zero_grad()")}
            if all(q.grad is not None for q in inner.parameters()):
                {outer}
            {a.either("", ("out.sum().backward()", "loss.backward()"))}
        """)


def learned_step(a: Author) -> None:
    """Learning rates, or weights of examples, that are learned through a step."""
    a.code(f"""
        w = torch.randn(4, 4, requires_grad=True)
        lr = nn.Parameter(torch.tensor(0.1))
        opt = torch.optim.Adam([{a.one("lr", "lr, w")}], lr=0.01)
        for step in range(2):
            x, y = torch.randn(4, 4), torch.randn(4, 4)
            weights = torch.zeros(4, requires_grad=True)
            train = ((x @ w - y).pow(2).mean(1) * {a.one("weights", "weights.exp()", "torch.sigmoid(weights)")}).sum()
            (g,) = torch.autograd.grad(train, w, {a.either("create_graph=True", ("retain_graph=True", "create_graph=True", "allow_unused=True"))})
            fast = {a.either("w - lr * g", ("w.sub_(lr * g)", "w.data - lr * g", "(w - lr * g).detach().requires_grad_()"))}
            valid = {loss(a, "x @ fast", "y")}
            {a.either("eps = torch.autograd.grad(valid, weights, retain_graph=True, allow_unused=True)[0]", ("eps = torch.autograd.grad(valid, weights)[0]", "eps = torch.autograd.grad(valid, weights, allow_unused=True)[0]"))}
            opt.zero_grad()
            valid.backward()
            opt.step()
            {a.one("with torch.no_grad():" + chr(10) + "    w.copy_(fast)", "w = fast.detach().requires_grad_()", "w = fast", "w.data = fast.data")}
        """)


SCENES = (fast_weights, named_weights, reptile, learned_step)
