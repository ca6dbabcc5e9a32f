"""Random in-place statements of every form: augmented assignment, methods, items, ``out=``, ``.data``, overlaps."""

from __future__ import annotations

from tests.differential.author import HALF, MATRIX, ROW, SCALAR, Author, Shape, Var
from tests.differential.expressions import atom, stored, tensor

WHOLE = (
    (5, "{t} += {e}"), (3, "{t} -= {e}"), (5, "{t} *= 0.5"), (2, "{t} *= {e}"), (2, "{t} /= 2"), (4, "{t}.add_({e})"),
    (3, "{t}.mul_({e})"), (2, "{t}.sub_(1.0)"), (2, "{t}.add_(1.0)"), (2, "{t}.zero_()"), (1, "{t}.fill_(0.5)"),
    (3, "{t}.copy_({e})"), (2, "{t}.clamp_(-1.0, 1.0)"), (1, "{t}.relu_()"), (2, "F.relu({t}, inplace=True)"),
    (1, "{t}.sigmoid_()"), (1, "{t}.exp_()"), (1, "{t}.normal_()"), (1, "torch.relu_({t})"), (1, "nn.init.zeros_({t})"),
    (1, "nn.init.normal_({t})"), (2, "{t}[...] = {e}"), (2, "{t}[:] = {e}"), (1, "{t}.masked_fill_({t} > 0, 0.0)"),
    (2, "{t}[{t} > 0] = 0.0"), (1, "{t}.addcmul_({e}, {f})"), (1, "{t}.lerp_({e}, 0.5)"), (1, "{t}.div_(2.0)"),
    (0.7, "{t}.detach_()"), (1, "F.dropout({t}, 0.5, inplace=True)"), (0.5, "{t}.requires_grad_()"), (1, "{t}.neg_()"),
    (1, "torch.add({e}, 1.0, out={t})"), (1, "torch.mul({e}, {f}, out={t})"), (1, "{t}.tanh_()"), (1, "{t}.square_()"),
    (1, "{t}.pow_(2)"), (1, "torch.sigmoid_({t})"), (1, "F.leaky_relu({t}, 0.1, inplace=True)"), (0.5, "{t}.uniform_(0.0, 1.0)"),
    (1, "{t}.addcdiv_({e}, {f}.abs() + 1.0)"), (0.5, "F.elu_({t})"), (1, "{t}.sqrt_()"), (0.5, "{t}.cumsum_(0)"),
    (0.5, "torch.nn.init.constant_({t}, 0.1)"),
    (0.5, "torch.nn.functional.threshold({t}, 0.0, 0.0, inplace=True)"), (0.5, "{t} **= 2"), (0.5, "{t}.sin_()"),
)  # fmt: skip
PARTS = (
    (3, "{t}[0] = {s}"), (2, "{t}[0] += 1.0"), (2, "{t}[1:] *= 2.0"), (2, "{t}[torch.tensor([0, 1])] = 0.0"),
    (2, "{t}[:1] = 0.0"), (1, "{t}[-1].zero_()"), (2, "{t}[0].mul_(2.0)"), (1, "{t}[1].copy_({s})"), (1, "{t}[0:2].add_(1.0)"),
    (1, "{t}[[0, 1]] = 1.0"), (1, "{t}[[0]] += 1.0"), (1, "{t}.index_fill_(0, torch.tensor([0]), 0.0)"),
    (1, "{t}.select(0, 0).fill_(1.0)"), (1, "{t}.narrow(0, 0, 1).zero_()"), (1, "{t}[None].add_(1.0)"),
    (1, "{t}.unsqueeze(0).mul_(0.5)"), (0.5, "{t}.unsqueeze_(0).squeeze_(0)"), (0.5, "{t}.t_()"),
    (0.5, "{t}.index_add_(0, torch.tensor([0]), {t}[:1] * 2.0)"),
    (0.5, "{t}.index_copy_(0, torch.tensor([1]), {t}[:1] * 1.0)"), (1, "{t}.chunk(2)[0].add_(1.0)"),
    (1, "{t}.unbind(0)[0].zero_()"), (1, "{t}.detach()[0] = 1.0"), (1, "{t}.data[0] = 0.0"), (0.5, "{t}.expand_as({t}).add_(1.0)"),
)  # fmt: skip
SQUARE = (
    (2, "{t}[:, 0] = {s}"), (1, "{t}[0, 1] = 0.0"), (1, "{t}[..., 1] += 1.0"), (1, "{t}.t().mul_(2.0)"), (1, "{t}.T.add_({e})"),
    (1, "{t}.diagonal().zero_()"), (1, "{t}.fill_diagonal_(0.0)"), (1, "{t}[1:, 2:] = 0.0"), (1, "{t}.transpose(0, 1)[0] = {s}"),
    (1, "{t}[:, 1:3].relu_()"), (0.7, "{t}.add_({t}.t())"), (0.7, "{t} += {t}.T"), (0.7, "{t}[1:] = {t}[:-1]"),
    (0.7, "{t}[1:] += {t}[:-1]"), (0.5, "{t}[:, 0] += {t}[:, 1]"), (1, "{t}[torch.arange(4), torch.arange(4)] = 0.0"),
    (1, "{t}.scatter_(1, torch.zeros(4, 1, dtype=torch.long), 1.0)"), (0.5, "{t}.tril_()"), (1, "{t}.addmm_({e}, {f})"),
    (0.5, "{t}[:2] = {t}[2:]"), (0.5, "{t}[0], {t}[1] = {t}[1], {t}[0]"), (0.5, "{t}.copy_({t}.t())"),
    (0.4, "{t}.transpose_(0, 1).mul_(0.5)"), (0.4, "{t}.lerp_({t}.t().t_(), 0.5)"),
    (0.5, "{t}.index_put_((torch.tensor([0]), torch.tensor([1])), torch.tensor(2.0))"),
)  # fmt: skip
HIDDEN = (
    (3, "{t}.data.mul_(0.5)"), (2, "{t}.data.copy_({e})"), (1, "{t}.data += 1.0"), (1, "{t}.data = {e}.detach().clone()"),
    (2, "{t}.detach().mul_(0.5)"), (1, "{t}.detach().zero_()"), (1, "{t}.data.zero_()"), (1, "{t}.detach().numpy()[0] = 1.0"),
    (1, "{t}.data.clamp_(-0.1, 0.1)"),
)  # fmt: skip
WITHOUT_GRAD = (
    "with torch.no_grad():", "with torch.no_grad():", "with torch.inference_mode():", "with torch.set_grad_enabled(False):",
)  # fmt: skip
PART_OF: dict[Shape, Shape] = {MATRIX: ROW, ROW: SCALAR, HALF: ROW}


def targets(a: Author) -> list[tuple[str, Shape]]:
    """What an in-place statement can name here."""
    found: list[tuple[str, Shape]] = []
    for shape in (MATRIX, ROW, HALF):
        found.extend((expr.text, shape) for expr in stored(a, shape))
    return found


def mutate(a: Author, target: tuple[str, Shape] | None = None) -> None:
    """Write an in-place statement. Careful authors take a copy, or a value that backward does not need."""
    if target is None and a.careful():
        target = _harmless(a)
    if target is None:
        options = targets(a)
        if not options:
            return
        target = a.pick(options)
    text, shape = target
    forms = [WHOLE]
    if shape in PART_OF:
        forms.append(PARTS)
    if shape == MATRIX:
        forms.append(SQUARE)
    if a.chance(0.12):
        forms = [HIDDEN]
    form = a.weighted(a.pick(forms))
    outer = text.split("[")[0].split(".")[0]
    binds = form.split()[0] == "{t}" and "=" in form.split()[1] and text == outer
    if binds and outer in a.scope.fixed:
        form = "{t}.add_({e})"
    part = tensor(a, PART_OF[shape], 1) if "{s}" in form else None
    line = form.format(t=text, e=tensor(a, shape, 1).operand, f=atom(a, shape).operand, s=part and part.text)
    if a.scope.recording and a.chance(0.18):
        with a.block(a.pick(WITHOUT_GRAD)):
            a.write(line)
    else:
        a.write(line)
    if outer in a.scope.names and "{e}" in form and a.scope.recording:
        a.scope.names[outer].grad = True


def _harmless(a: Author) -> tuple[str, Shape] | None:
    shape = a.weighted(((4, MATRIX), (1, ROW), (1, HALF)))
    names = [
        name for name in a.find("tensor", lambda var: var.shape == shape and not var.grad) if name not in a.scope.fixed
    ]
    if names and a.chance(0.3):
        return a.pick(names), shape
    source = tensor(a, shape, 1, grad=a.chance(0.6))
    name = a.fresh("y")
    text = a.weighted(
        ((4, "{0}.clone()"), (3, "{0} + 1.0"), (2, "{0} + {0}"), (1, "{0}.detach().clone()"), (1, "-{0}"))
    )
    a.write(f"{name} = {text.format(source.operand)}")
    a.bind(name, Var("tensor", shape, source.grad and "detach" not in text and a.scope.recording, source.stale))
    return name, shape


def overlap(a: Author) -> None:
    """An expanded tensor is written to: several elements are one place in memory."""
    name = a.fresh("wide")
    row = atom(a, ROW)
    maker = a.pick(
        (
            "{0}.expand(4, 4)",
            "{0}.unsqueeze(0).expand(4, -1)",
            "torch.broadcast_to({0}, (4, 4))",
            "{0}.expand(4, 4).clone()",
        )
    )
    a.write(f"{name} = {maker.format(row.operand)}")
    a.write(
        a.pick(
            (
                "{0} += 1.0",
                "{0}.mul_(2.0)",
                "{0}[0] = 1.0",
                "{0}[0] += 1.0",
                "{0}.add_({0})",
                "{0}[:, 0] += 1.0",
                "{0}.relu_()",
            )
        ).format(name)
    )
