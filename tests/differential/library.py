"""Random statements that use more of torch: recurrent layers, attention, data loaders, custom functions, hooks, state."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from collections.abc import Callable

from tests.differential.author import HALF, MATRIX, SCALAR, Author, Var
from tests.differential.expressions import atom, loss, tensor
from tests.differential.mutations import mutate


def layers(a: Author) -> None:
    """A layer whose call is not simply matrix to matrix."""
    x, name, value = a.fresh("x"), a.fresh("layer"), tensor(a, MATRIX, 1)
    make, call = a.pick((
        ("nn.LSTM(4, 4)", "{0}({1})[0]"), ("nn.GRU(4, 4)", "{0}({1})[0]"), ("nn.RNN(4, 4)", "{0}({1})[0]"), ("nn.LSTMCell(4, 4)", "{0}({1})[0]"),
        ("nn.MultiheadAttention(4, 2)", "{0}({1}, {1}, {1})[0]"), ("nn.Embedding(6, 4)", "{0}(torch.arange(4)) + {1}"), ("nn.Conv2d(1, 1, 3, padding=1)", "{0}({1}[None, None])[0, 0]"),
        ("nn.Bilinear(4, 4, 4)", "{0}({1}, {1})"), ("nn.Embedding(6, 4)", "{0}.weight[:4] * {1}"), ("nn.ConvTranspose1d(4, 4, 1)", "{0}({1})"), ("nn.InstanceNorm1d(4)", "{0}({1}[None])[0]"),
        ("nn.TransformerEncoderLayer(4, 2, 8)", "{0}({1})"), ("nn.ParameterList([torch.ones(4, 4) for _ in range(2)])", "{1} * {0}[0] + {0}[1]"),
        ('nn.ModuleDict({{"a": nn.Linear(4, 4), "b": nn.ReLU()}})', '{0}["b"]({0}["a"]({1}))'), ("nn.BatchNorm2d(1)", "{0}({1}[None, None]).squeeze()"),
        ('nn.ParameterDict({{"w": nn.Parameter(torch.ones(4, 4))}})', '{1} @ {0}["w"]'), ("nn.MaxPool1d(1)", "{0}({1})"), ("nn.AvgPool1d(3, stride=1, padding=1)", "{0}({1})"),
        ("nn.Unflatten(1, (2, 2))", "{0}({1}).flatten(1)"), ("nn.Flatten()", "{0}({1})"), ("nn.Softmin(dim=0)", "{0}({1})"), ("nn.utils.weight_norm(nn.Linear(4, 4))", "{0}({1})"),
        ("nn.RMSNorm(4)", "{0}({1})"), ("nn.LocalResponseNorm(2)", "{0}({1}[None])[0]"), ("nn.utils.parametrizations.spectral_norm(nn.Linear(4, 4))", "{0}({1})"),
    ))  # fmt: skip
    a.write(f"{name} = {make.replace('{{', '{').replace('}}', '}')}")
    a.write(f"{x} = {call.format(name, value.operand)}")
    a.bind(x, Var("tensor", MATRIX, a.scope.recording, value.stale))


def loader(a: Author) -> None:
    """Batches out of a DataLoader over tensors, which may have a history of their own."""
    x, y = tensor(a, MATRIX, 1), tensor(a, MATRIX, 1)
    if a.careful():
        y = x
    form = a.pick(("TensorDataset({0}, {1})", "list(zip({0}, {1}))", "TensorDataset({0}, {1}.detach())"))
    with a.block(f"for xb, yb in DataLoader({form.format(x.operand, y.operand)}, batch_size=2):"):
        a.bind("xb", Var("tensor", HALF, x.grad, x.stale))
        a.bind("yb", Var("tensor", HALF, y.grad, y.stale))
        a.scope.fixed -= {"xb", "yb"}
        if a.chance(0.3):
            mutate(a, None if a.careful() else ("xb", HALF))
        nets = a.find("module", lambda var: var.grad)
        predicted = f"F.linear(xb, {atom(a, MATRIX, grad=True).text})" if not nets or a.chance(0.4) else "(xb * 2.0)"
        name = a.fresh("loss")
        a.write(f"{name} = F.mse_loss({predicted}, yb)")
        with a.block(f"if {name}.requires_grad:"):
            a.write(f"{name}.backward({a.pick(('', '', '', 'retain_graph=True'))})")
    for batch in ("xb", "yb"):
        a.scope.names.pop(batch, None)
    a.spoil()


def custom_function(a: Author) -> None:
    """An autograd.Function that saves its input, its output, or nothing."""
    name = a.fresh("Op")
    saved, back = a.pick(
        (
            (
                "t",
                "(t,) = ctx.saved_tensors",
            ),
            ("out", "(t,) = ctx.saved_tensors"),
            ("", "t = 2.0"),
        )
    )
    a.definitions.extend([
        f"class {name}(torch.autograd.Function):",
        "    @staticmethod",
        "    def forward(ctx, t):",
        f"        out = {a.pick(('t * 2.0', 't.exp()', 't.clamp(min=0.0)', 't.clone()'))}",
        *([f"        ctx.save_for_backward({saved})"] if saved else []),
        "        return out",
        "    @staticmethod",
        "    def backward(ctx, grad):",
        f"        {back}",
        "        return grad * t",
        "",
    ])  # fmt: skip
    a.bind(f"{name}.apply", Var("function", MATRIX, size=1))
    x, value = a.fresh("x"), tensor(a, MATRIX, 1, grad=True)
    a.write(f"{x} = {name}.apply({value.text})")
    a.bind(x, Var("tensor", MATRIX, value.grad and a.scope.recording, value.stale))


def checkpointed(a: Author) -> None:
    """A part of the forward that is computed again in backward."""
    functions = a.find("module", lambda var: var.grad)
    if not functions:
        return
    x, value = a.fresh("x"), tensor(a, MATRIX, 1)
    a.write(f"{x} = checkpoint({a.pick(functions)}, {value.text}, use_reentrant=False)")
    a.bind(x, Var("tensor", MATRIX, a.scope.recording, value.stale))


def hook(a: Author) -> None:
    """A hook on a tensor or a module, or a gradient kept."""
    names = a.find("tensor", lambda var: var.shape == MATRIX and var.grad)
    if not names:
        return
    name = a.pick(names)
    with a.block(f"if {name}.requires_grad:"):
        a.write(
            a.pick(
                (
                    "{0}.register_hook(lambda g: g * 2.0)",
                    "{0}.retain_grad()",
                    "{0}.register_hook(lambda g: None)",
                    "{0}.register_hook(lambda g: g.clamp(-1.0, 1.0))",
                )
            ).format(name)
        )


def parameters(a: Author) -> None:
    """A parameter reached through its module, read or changed."""
    nets = a.find("module", lambda var: var.grad)
    if not nets:
        return
    net = a.pick(nets)
    careful = a.careful()
    form = a.pick((
        "with torch.no_grad():\n    next({0}.parameters()).mul_(0.5)", "{0}.load_state_dict({0}.state_dict())", "for p in {0}.parameters():\n    p.data.mul_(0.9)",
        "for p in {0}.parameters():\n    nn.init.normal_(p)", 'for n, p in {0}.named_parameters():\n    if n.endswith("bias"):\n        nn.init.zeros_(p)',
        "{0}.zero_grad()", "nn.utils.clip_grad_value_({0}.parameters(), 1.0)", "for p in {0}.parameters():\n    p.grad = None", "{0}.train()", "{0}.eval()",
        "nn.utils.vector_to_parameters(nn.utils.parameters_to_vector({0}.parameters()).detach() * 0.5, {0}.parameters())", "{0}.apply(lambda m: None)",
        "with torch.no_grad():\n    for p in {0}.parameters():\n        p.copy_(p * 0.5)", "for v in {0}.state_dict().values():\n    v.mul_(1)", "{0}.half().float()",
        "for p in {0}.parameters():\n    p.data = p.data * 0.5", "with torch.no_grad():\n    for p in {0}.parameters():\n        p -= 0.1", "{0}.to(torch.float32)",
        "{0}.double().float()", "list({0}.parameters())[-1].data.zero_()", "{0}.load_state_dict(copy.deepcopy({0}).state_dict())", "for m in {0}.modules():\n    m.training = True",
    ) if not careful or a.chance(0.3) else ("{0}.zero_grad()", "{0}.train()", "nn.utils.clip_grad_norm_({0}.parameters(), 1.0)", "{0}.to(torch.float32)"))  # fmt: skip
    for line in form.format(net).split("\n"):
        a.write(line)
    if not careful:
        a.spoil()


def regularised(a: Author) -> None:
    """A loss over parameters themselves."""
    nets = a.find("module", lambda var: var.grad)
    if not nets:
        return
    name = a.fresh("loss")
    a.write(
        f"{name} = {a.pick(('sum(p.pow(2).sum() for p in {0}.parameters())', 'torch.stack([p.norm() for p in {0}.parameters()]).sum()', 'sum((p * p).sum() for p in {0}.parameters() if p.requires_grad)', 'torch.cat([p.flatten() for p in {0}.parameters()]).abs().mean()')).format(a.pick(nets))}"
    )
    a.bind(name, Var("tensor", SCALAR, a.scope.recording))


def scaled(a: Author) -> None:
    """Mixed precision around a backward."""
    optimizers = a.find("optimizer")
    if not optimizers or not a.scope.recording:
        return
    name = a.fresh("loss")
    value = loss(a, 2, grad=True)
    if not value.grad:
        return
    enabled = a.pick(("True", "False"))
    a.write(f'scaler = torch.amp.GradScaler("cpu", enabled={enabled})')
    a.write(f"{name} = {value.text}")
    with a.block(f"if {name}.requires_grad and False:"):
        a.write(f"scaler.step({a.pick(optimizers)})")
    a.write(f"scaler.scale({name}).backward()")
    a.bind(name, Var("tensor", SCALAR, True))
    a.spoil()


STATEMENTS: tuple[tuple[float, Callable[[Author], None]], ...] = (
    (2, layers), (0.7, loader), (0.8, custom_function), (0.5, checkpointed), (0.8, hook), (2, parameters), (0.7, regularised), (0.4, scaled),
)  # fmt: skip
