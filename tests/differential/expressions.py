"""Random expressions of a given shape. All data is (4, 4), its rows (4,), its half (2, 4), its losses ()."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import HALF, MATRIX, ROW, SCALAR, Author, Expr, Shape, Var

ELEMENTWISE = (
    (4, "{0} * 2.0"), (4, "{0} + 1.0"), (2, "1.0 - {0}"), (2, "-{0}"), (2, "{0} / 2"), (2, "0.5 * {0}"),
    (3, "torch.sin({0})"), (3, "{0}.exp()"), (3, "torch.sigmoid({0})"), (3, "{0}.tanh()"), (3, "F.relu({0})"),
    (2, "{0}.relu()"), (2, "torch.relu({0})"), (2, "{0}.abs()"), (2, "{0} ** 2"), (2, "{0}.pow(2)"), (1, "{0}.square()"),
    (2, "torch.clamp({0}, -1.0, 1.0)"), (1, "{0}.clamp(min=0.0)"), (1, "F.softplus({0})"), (1, "F.leaky_relu({0}, 0.1)"),
    (1, "F.gelu({0})"), (1, "F.elu({0})"), (1, "F.silu({0})"), (1, "F.hardtanh({0})"), (1, "torch.tanh({0})"),
    (3, "{0}.clone()"), (1, "{0}.contiguous()"), (1, "{0}.float()"), (1, "{0}.to(torch.float32)"), (1, "{0}.cumsum(0)"),
    (1, "torch.sqrt({0}.abs() + 1.0)"), (1, "torch.log({0}.abs() + 1.0)"), (1, "({0}.abs() + 1.0).rsqrt()"),
    (1, "F.dropout({0}, 0.5)"), (2, "F.softmax({0}, dim=0)"), (1, "{0}.log_softmax(dim=0)"), (1, "{0}.sigmoid()"),
    (1, "{0}.masked_fill({0} > 0, 0.0)"), (1, "torch.where({0} > 0, {0}, -{0})"), (1, "({0} + 3.0).reciprocal()"),
    (1, "{0}.flip(0)"), (1, "torch.roll({0}, 1, 0)"), (1, "{0}.neg()"), (1, "{0}.add(1.0)"), (1, "{0}.mul(0.5)"),
    (1, "{0}.sub(0.5)"), (1, "{0}.cos()"), (1, "{0}.erf()"), (1, "{0}.expand_as({0})"), (1, "{0}.view_as({0})"),
    (1, "{0}[:]"), (1, "{0}[...]"), (1, "{0}.sort(dim=0)[0]"), (1, "{0}.cumprod(0)"), (1, "{0}.type_as({0})"),
    (1, "{0}.nan_to_num()"), (1, "{0}.index_select(0, torch.arange({0}.shape[0]))"), (1, "torch.cat([{0}])"),
    (1, "torch.stack([{0}, {0}]).sum(0)"), (1, "torch.stack([{0}, {0}])[0]"), (1, "{0}.unsqueeze(0).squeeze(0)"),
    (0.4, "{0}.expm1()"), (0.4, "({0}.abs() + 1.0).log1p()"), (0.4, "{0}.sinh()"), (0.4, "{0}.atan()"), (0.4, "torch.special.expit({0})"),
    (0.4, "F.logsigmoid({0})"), (0.4, "F.softsign({0})"), (0.4, "F.hardswish({0})"), (0.4, "F.mish({0})"), (0.4, "F.selu({0})"), (0.4, "F.celu({0})"),
    (0.4, "F.relu6({0})"), (0.4, "F.tanhshrink({0})"), (0.4, "F.hardsigmoid({0})"), (0.4, "{0}.sign()"), (0.4, "{0}.round()"), (0.4, "{0}.trunc()"),
    (0.4, "{0}.fmod(2.0)"), (0.4, "{0}.remainder(2.0)"), (0.4, "{0}.cummax(0)[0]"), (0.4, "{0}.logcumsumexp(0)"), (0.4, "F.pad({0}, (1, 1))[..., 1:-1]"),
    (0.4, "{0}.scatter(0, torch.zeros_like({0}).long(), 0.0)"), (0.4, "torch.zeros_like({0}).copy_({0})"), (0.4, "{0}.new_zeros({0}.shape) + {0}"),
    (0.4, "torch.where(torch.ones_like({0}).bool(), {0}, 0.0)"), (0.4, "{0}.movedim(0, 0)"), (0.4, "{0}.squeeze(0)"), (0.4, "{0}.sub({0}.detach())"),
    (0.4, "torch.ones_like({0}) * {0}"), (0.4, "{0}.double().float()"), (0.4, "{0}.type(torch.float32)"), (0.4, "{0}.cpu()"), (0.4, "{0}.deg2rad()"),
    (0.4, "{0}.sum() * {0}"), (0.4, "{0} / {0}.detach().abs().max()"), (0.4, "{0} - {0}.mean()"), (0.4, "{0}.take_along_dim(torch.zeros_like({0}).long(), 0)"),
    (0.4, "{0}.repeat_interleave(1, dim=0)"), (0.4, "{0}.lerp({0} * 2.0, 0.5)"), (0.4, "{0}.index_fill(0, torch.tensor([0]), 0.0)"),
    (0.4, "{0}.index_add(0, torch.tensor([0]), {0}[:1])"), (0.4, "{0}.bernoulli(0.5) * {0}"), (0.4, "{0}.clip(-1, 1)"), (0.4, "{0}.xlogy({0}.abs() + 1.0)"),
)  # fmt: skip
BINARY = (
    (5, "{0} + {1}"), (5, "{0} * {1}"), (3, "{0} - {1}"), (2, "{0} / ({1}.abs() + 1.0)"), (1, "torch.add({0}, {1})"),
    (1, "{0}.mul({1})"), (1, "torch.mul({0}, {1})"), (1, "torch.maximum({0}, {1})"), (1, "torch.lerp({0}, {1}, 0.5)"),
    (1, "torch.where({0} > 0, {0}, {1})"), (1, "torch.stack([{0}, {1}]).mean(0)"), (1, "{0}.sub({1}, alpha=2)"),
    (1, "torch.addcmul({0}, {1}, {1})"), (1, "torch.min({0}, {1})"), (1, "torch.atan2({0}, {1})"),
)  # fmt: skip
MATRIX_ONLY = (
    (3, "{0} @ {1}"), (1, "torch.mm({0}, {1})"), (1, "torch.matmul({0}, {1})"), (2, "F.linear({0}, {1})"),
    (1, "torch.addmm({0}, {0}, {1})"), (1, "torch.cat([{0}[:2], {1}[2:]])"), (1, "{0} @ {1}.t()"),
    (1, 'torch.einsum("ij,jk->ik", {0}, {1})'), (1, "F.softmax({0}, dim=-1) @ {1}"), (1, "{0} + {1}[0]"),
    (1, "{0} * {1}.mean(0, keepdim=True)"), (1, "{0} / {1}.norm(dim=1, keepdim=True)"), (1, "F.layer_norm({0} + {1}, (4,))"),
    (1, "torch.bmm({0}.unsqueeze(0), {1}.unsqueeze(0)).squeeze(0)"), (1, "{0} * {1}.max(dim=0)[0]"), (1, "{0}.matmul({1}.T)"),
    (0.5, "({0}[None] @ {1})[0]"), (0.5, "torch.matmul({0}, torch.stack([{1}, {1}]))[1]"), (0.5, "F.linear({0}.expand(2, 4, 4).transpose(1, 2), {1})[0]"),
    (0.5, "({0}.t()[None] @ {1})[0]"), (0.5, "(torch.stack([{0}, {1}]).transpose(1, 2) @ {1})[0]"), (0.5, "F.linear({0}[None], {1}, {1}[0])[0]"),
    (1, "{0}.gather(1, torch.zeros(4, 4, dtype=torch.long)) + {1}"), (1, "F.normalize({0} + {1}, dim=1)"),
)  # fmt: skip
LOSSES = (
    (5, "{0}.sum()"), (5, "{0}.mean()"), (3, "{0}.pow(2).mean()"), (1, "({0} ** 2).sum()"), (1, "{0}.abs().mean()"),
    (3, "F.mse_loss({0}, {1})"), (1, "F.l1_loss({0}, {1})"), (1, "F.smooth_l1_loss({0}, {1})"), (2, "({0} - {1}).pow(2).mean()"),
    (1, "({0} * {1}).sum()"), (1, "{0}.norm()"), (1, "torch.mean({0})"), (1, "torch.sum({0} + {1})"),
    (1, "{0}.logsumexp(dim=0).sum()"), (1, "{0}.std()"), (1, "{0}.max()"), (1, "torch.dist({0}, {1})"),
    (0.5, "F.cross_entropy({0}, torch.arange(4))"), (0.5, "F.nll_loss({0}.log_softmax(-1), torch.arange(4))"), (0.4, "F.huber_loss({0}, {1})"),
    (0.4, "F.kl_div({0}.log_softmax(-1), {1}.softmax(-1), reduction='batchmean')"), (0.3, "F.poisson_nll_loss({0}, {1}.abs())"), (0.4, "{0}.var()"),
    (0.3, "F.triplet_margin_loss({0}, {1}, {0} + 1.0)"), (0.4, "{0}.prod()"), (0.4, "torch.trace({0})"), (0.3, "torch.linalg.det({0} + torch.eye(4))"),
    (0.4, "torch.linalg.norm({0})"), (0.3, "{0}.median()"), (0.3, "F.hinge_embedding_loss({0}, torch.ones(4, 4))"), (0.3, "F.soft_margin_loss({0}, torch.ones(4, 4))"),
    (0.3, "F.gaussian_nll_loss({0}, {1}, torch.ones(4, 4))"), (0.4, "{0}.flatten().dot({1}.flatten())"), (0.4, "{0}[0, 0]"), (0.4, "{0}.reshape(-1)[3]"),
    (0.4, "nn.MSELoss()({0}, {1})"), (0.4, "nn.CrossEntropyLoss()({0}, {1}.softmax(-1))"), (0.4, "F.cosine_embedding_loss({0}, {1}, torch.ones(4))"),
    (1, "F.binary_cross_entropy_with_logits({0}, torch.ones_like({0}))"), (1, "torch.cosine_similarity({0}, {1}, dim=0).mean()"),
)  # fmt: skip
FROM_MATRIX = {
    ROW: ("{0}[0]", "{0}[-1]", "{0}[:, 1]", "{0}.mean(0)", "{0}.sum(dim=1)", "{0}.select(0, 1)", "{0}.max(dim=1)[0]",
          "{0}.diagonal()", "{0}.unbind(0)[1]", "{0}.norm(dim=1)", "{0}.amax(dim=0)"),
    HALF: ("{0}[:2]", "{0}[2:]", "{0}[::2]", "{0}.chunk(2)[0]", "{0}[torch.tensor([0, 1])]", "{0}.narrow(0, 1, 2)",
           "{0}.index_select(0, torch.tensor([0, 2]))", "{0}.split(2)[1]", "torch.chunk({0}, 2)[1]"),
}  # fmt: skip
SIZES = {MATRIX: "4, 4", ROW: "4", HALF: "2, 4", SCALAR: ""}


def constant(a: Author, shape: Shape) -> Expr:
    """A new tensor that needs no gradient."""
    if shape == SCALAR:
        return Expr(a.pick(("torch.tensor(1.0)", "torch.zeros(())", "torch.ones(())")))
    maker = a.pick(("torch.randn", "torch.ones", "torch.zeros", "torch.rand"))
    return Expr(f"{maker}({SIZES[shape]})")


def stored(a: Author, shape: Shape) -> list[Expr]:
    """Names, elements and fields of the shape that are in scope."""
    found: list[Expr] = []
    for name, var in a.scope.names.items():
        if var.shape != shape:
            continue
        note = (var.grad, var.stale)
        if var.kind == "tensor":
            found.append(Expr(name, *note))
        elif var.kind == "list":
            found.append(Expr(f"{name}[{a.rng.randrange(var.size)}]", *note))
            found.append(Expr(f"{name}[-1]", *note))
        elif var.kind == "dict":
            found.append(Expr(f'{name}["{a.pick(("a", "b"))}"]', *note))
        elif var.kind == "box":
            found.append(Expr(f"{name}.{a.pick(('first', 'second'))}", *note))
    return found


def atom(a: Author, shape: Shape, grad: bool = False) -> Expr:
    """A stored value of the shape, a part of a bigger one, or a constant. ``grad`` prefers one with a history."""
    found = stored(a, shape)
    if a.careful():
        found = [expr for expr in found if not expr.stale]
    if grad:
        found = [expr for expr in found if expr.grad] or found
    if shape in FROM_MATRIX and (not found or a.chance(0.3)):
        whole = atom(a, MATRIX, grad)
        return Expr(a.pick(FROM_MATRIX[shape]).format(whole.operand), whole.grad, whole.stale)
    if found and not a.chance(0.08):
        return a.pick(found)
    return constant(a, shape)


def tensor(a: Author, shape: Shape = MATRIX, depth: int = 2, grad: bool = False) -> Expr:
    """A random expression of the shape. ``grad`` asks, without promise, for one with a history."""
    if shape == SCALAR:
        return loss(a, depth, grad)
    if depth <= 0 or a.chance(0.15):
        return atom(a, shape, grad)
    kind = a.weighted(
        ((5, "unary"), (4, "binary"), (2, "matrix"), (3, "module"), (2, "function"), (1, "detach"), (0.6, "choice"))
    )
    if kind in ("module", "function") and shape == MATRIX:
        callee = a.find(kind, lambda var: var.shape == MATRIX)
        if callee:
            inner = tensor(a, MATRIX, depth - 2, grad)
            name = a.pick(callee)
            return Expr(f"{name}({inner.text})", a.scope.recording, inner.stale)
    if kind == "matrix" and shape == MATRIX:
        return _join(a.weighted(MATRIX_ONLY), tensor(a, shape, depth - 1, grad), tensor(a, shape, depth - 1))
    if kind == "detach" and not grad:
        inner = tensor(a, shape, depth - 1)
        return Expr(f"{inner.operand}.{a.weighted(((4, 'detach()'), (1, 'data'), (1, 'detach().clone()')))}")
    if kind == "choice":
        test = a.pick(("True", "False", "len([1, 2]) == 2", "1 > 2"))
        first, second = tensor(a, shape, depth - 1, grad), tensor(a, shape, depth - 1, grad)
        return Expr(
            f"({first.text} if {test} else {second.text})", first.grad or second.grad, first.stale or second.stale
        )
    if kind == "binary":
        return _join(a.weighted(BINARY), tensor(a, shape, depth - 1, grad), tensor(a, shape, depth - 1))
    inner = tensor(a, shape, depth - 1, grad)
    return Expr(a.weighted(ELEMENTWISE).format(inner.operand), inner.grad, inner.stale)


def loss(a: Author, depth: int = 2, grad: bool = True) -> Expr:
    """A random scalar."""
    old = [
        name
        for name in a.find("tensor", lambda var: var.shape == SCALAR)
        if not a.scope.names[name].stale or not a.careful()
    ]
    if old and a.chance(0.2):
        name = a.pick(old)
        var = a.scope.names[name]
        text = a.pick(("{0} * 0.5", "{0} + {1}", "{0} - {1}", "{1} + {0} * 0.1", "{0}"))
        return _join(text, Expr(name, var.grad, var.stale), loss(a, depth - 1, grad))
    first = tensor(a, MATRIX, depth, grad)
    second = tensor(a, MATRIX, min(depth - 1, 1))
    return _join(a.weighted(LOSSES), first, second)


def _join(template: str, first: Expr, second: Expr) -> Expr:
    if "{1}" not in template:
        return Expr(template.format(first.operand), first.grad, first.stale)
    return Expr(template.format(first.operand, second.operand), first.grad or second.grad, first.stale or second.stale)


def remember(a: Author, name: str, shape: Shape, value: Expr) -> None:
    """Bind ``name`` to what ``value`` gives."""
    a.bind(name, Var("tensor", shape, value.grad and a.scope.recording, value.stale))
