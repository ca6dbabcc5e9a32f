"""Random networks: Sequentials, modules with a forward of their own, recurrent cells."""

from __future__ import annotations

from tests.differential.author import MATRIX, ROW, Author, Shape, Var
from tests.differential.expressions import remember, tensor
from tests.differential.mutations import mutate

LAYERS = (
    (8, "nn.Linear(4, 4)"), (1, "nn.Linear(4, 4, bias=False)"), (1, "nn.LayerNorm(4)"), (1.5, "nn.BatchNorm1d(4)"),
    (1, "nn.Conv1d(4, 4, 1)"), (1, "nn.Conv1d(4, 4, 3, padding=1)"), (0.5, "nn.GroupNorm(2, 4)"), (0.5, "nn.PReLU()"),
    (0.3, "nn.BatchNorm1d(4, affine=False)"), (0.3, "nn.InstanceNorm1d(4)"), (0.3, "nn.Bilinear(4, 4, 4)"),
)  # fmt: skip
ACTIVATIONS = (
    (3, "nn.ReLU()"), (2, "nn.Tanh()"), (2, "nn.Sigmoid()"), (1, "nn.GELU()"), (1, "nn.LeakyReLU(0.2)"), (1, "nn.Softplus()"),
    (1, "nn.SiLU()"), (0.5, "nn.ELU()"), (1, "nn.Dropout(0.5)"), (0.5, "nn.Identity()"), (0.5, "nn.Softmax(dim=-1)"),
    (0.3, "nn.Hardtanh()"), (0.3, "nn.LogSoftmax(dim=-1)"),
)  # fmt: skip
IN_PLACE = (
    (4, "nn.ReLU(inplace=True)"), (2, "nn.LeakyReLU(0.2, inplace=True)"), (1, "nn.ELU(inplace=True)"), (1, "nn.Dropout(0.5, inplace=True)"),
    (1, "nn.SiLU(inplace=True)"), (0.5, "nn.Hardtanh(inplace=True)"), (1, "nn.ReLU(True)"), (0.5, "nn.ReLU6(inplace=True)"),
)  # fmt: skip


def layer(a: Author) -> str:
    """A layer with parameters that keeps the shape (4, 4)."""
    text = a.weighted(LAYERS)
    return "nn.Linear(4, 4)" if "Bilinear" in text or "InstanceNorm" in text else text


def activation(a: Author, in_place: float = 0.25) -> str:
    """An activation, in place with the given probability."""
    return a.weighted(IN_PLACE if a.chance(in_place) else ACTIVATIONS)


def sequential(a: Author) -> str:
    """A ``nn.Sequential`` of two to five parts. Careful ones put in-place activations behind linear layers only."""
    parts: list[str] = []
    for _ in range(a.rng.randint(1, 3)):
        parts.append(layer(a))
        if a.chance(0.8):
            careful = a.careful()
            parts.append(activation(a, 0.35 if not careful or "Linear" in parts[-1] else 0.0))
            if not careful and a.chance(0.3):
                parts.append(activation(a, 0.8))
    return f"nn.Sequential({', '.join(parts)})"


def network(a: Author, stem: str = "net") -> str:
    """Write a statement that makes a module under a new name; returns the name."""
    name = a.fresh(stem)
    text = a.weighted(((3, "class"), (3, "sequential"), (2, "layer"), (0.7, "again")))
    if text == "class":
        made = f"{module_class(a)}()"
    elif text == "sequential":
        made = sequential(a)
    elif text == "again" and a.find("class"):
        made = f"{a.pick(a.find('class'))}()"
    else:
        made = layer(a)
    a.write(f"{name} = {made}")
    a.bind(name, Var("module", MATRIX, grad=True))
    if a.chance(0.06):
        a.write(f"{name}.eval()")
    return name


def module_class(a: Author) -> str:
    """Define a module class with a forward of its own; returns its name."""
    name = a.fresh("Net")
    parts = _constructor(a)
    parent = a.pick(a.find("class")) if a.find("class") and a.chance(0.25) else "nn.Module"
    lines = [f"class {name}({parent}):", "    def __init__(self):", "        super().__init__()"]
    lines.extend(f"        {line}" for line, _ in parts)
    before = len(a.definitions)
    reads: dict[str, Var] = {}
    for _, fields in parts:
        reads.update(fields)
    parameters = {"x": Var("tensor", MATRIX, grad=a.chance(0.5)), **reads}
    head = "def forward(self, x):"
    with a.definition(head, parameters, ["@torch.no_grad()"] if a.chance(0.02) else []):
        a.scope.fixed |= frozenset(reads)
        _forward(a, parts, parent)
    body = a.definitions[before:]
    # Functions defined while the forward was written stand before its class.
    start = max(index for index, line in enumerate(body) if line == head)
    if start and body[start - 1].startswith("@"):
        start -= 1
    method = [f"    {line}" for line in body[start:-1]]
    a.definitions[before:] = [*body[:start], *lines, "", *method, ""]
    a.bind(name, Var("class"))
    return name


def _constructor(a: Author) -> list[tuple[str, dict[str, Var]]]:
    parts: list[tuple[str, dict[str, Var]]] = [
        (f"self.first = {layer(a)}", {"self.first": Var("module", MATRIX, True)})
    ]
    if a.chance(0.6):
        parts.append((f"self.second = {a.pick((layer, sequential))(a)}", {"self.second": Var("module", MATRIX, True)}))
    if a.chance(0.6):
        parts.append(
            (f"self.act = {activation(a, 0.3 if a.careful() else 0.6)}", {"self.act": Var("activation", MATRIX)})
        )
    if a.chance(0.3):
        shape = a.pick(("4", "4, 4"))
        size = ROW if shape == "4" else MATRIX
        parts.append(
            (f"self.scale = nn.Parameter(torch.ones({shape}))", {"self.scale": Var("tensor", size, True, leaf=True)})
        )
    if a.chance(0.25):
        parts.append(('self.register_buffer("seen", torch.ones(4, 4))', {"self.seen": Var("tensor", MATRIX)}))
    if a.chance(0.25):
        parts.append(
            (f"self.layers = nn.ModuleList([{layer(a)} for _ in range(2)])", {"self.layers": Var("modules", MATRIX)})
        )
    if a.chance(0.15):
        parts.append(("self.last = torch.zeros(4, 4)", {"self.last": Var("tensor", MATRIX)}))
    return parts


def _forward(a: Author, parts: list[tuple[str, dict[str, Var]]], parent: str) -> None:
    if parent != "nn.Module" and a.chance(0.7):
        a.write("x = super().forward(x)")
        a.bind("x", Var("tensor", MATRIX, True))
    current = "x"
    for name in a.find("module", lambda var: var.grad) + a.find("activation"):
        if not name.startswith("self."):
            continue
        result = a.pick(("x", "h", "out"))
        a.write(f"{result} = {name}({current})")
        a.bind(result, Var("tensor", MATRIX, True))
        current = result
        if a.chance(0.35):
            mutate(a, None if a.careful() else (current, MATRIX))
    for name in a.find("modules"):
        with a.block(f"for layer in {name}:"):
            a.write(f"{current} = {a.pick(('layer({0})', '{0} + layer({0})', 'F.relu(layer({0}))')).format(current)}")
            if a.chance(0.2):
                mutate(a, None if a.careful() else (current, MATRIX))
    scale = [name for name in a.find("tensor") if name == "self.scale"]
    if scale and a.chance(0.8):
        a.write(f"{current} = {current} * self.scale" if a.careful() else f"{current} *= self.scale")
    if "self.seen" in a.scope.names and a.chance(0.8):
        a.write(
            a.pick(
                (
                    "self.seen += {0}.detach()",
                    "self.seen.copy_({0}.detach())",
                    "self.seen = {0}.detach()",
                    "self.seen.add_(1.0)",
                )
                if a.careful()
                else (
                    "self.seen += {0}",
                    "self.seen = 0.9 * self.seen + {0}",
                    "{0} = {0} * self.seen",
                    "self.seen.mul_({0})",
                )
            ).format(current)
        )
    if "self.last" in a.scope.names:
        a.write(f"{current} = {current} + self.last")
        a.write(f"self.last = {current}.detach()" if a.careful() else f"self.last = {current}")
    if a.chance(0.3):
        value = tensor(a, MATRIX, 1, grad=True)
        remember(a, current, MATRIX, value)
        a.write(f"{current} = {value.text}")
    a.write(
        a.weighted(
            ((6, "return {0}"), (1, "return {0} + x"), (1, "return F.relu({0})"), (0.5, "return {0}.clone()"))
        ).format(current)
    )


def cell(a: Author) -> str:
    """Write a recurrent cell under a new name; returns the name."""
    name = a.fresh("cell")
    a.write(f"{name} = {a.pick(('nn.GRUCell(4, 4)', 'nn.RNNCell(4, 4)'))}")
    a.bind(name, Var("cell", MATRIX, grad=True))
    return name


def leaf(a: Author, shape: Shape | None = None) -> str:
    """Write a new leaf tensor that requires grad; returns its name."""
    name = a.fresh("w")
    shape = shape or a.weighted(((5, MATRIX), (2, ROW)))
    size = "4, 4" if shape == MATRIX else "4"
    forms = ("torch.randn({0}, requires_grad=True)", "nn.Parameter(torch.randn({0}))", "torch.zeros({0}).requires_grad_()",
             "torch.ones({0}, requires_grad=True)", "torch.rand({0}).requires_grad_(True)")  # fmt: skip
    a.write(f"{name} = {a.pick(forms).format(size)}")
    a.bind(name, Var("tensor", shape, grad=True, leaf=True))
    return name


def frozen(a: Author) -> None:
    """Freeze or thaw a module's parameters."""
    modules = a.find("module")
    if not modules:
        return
    name, flag = a.pick(modules), a.pick(("False", "False", "True"))
    form = a.pick((0, 1, 2))
    if form == 0:
        a.write(f"{name}.requires_grad_({flag})")
        return
    with a.block(f"for p in {name}.parameters():"):
        a.write(f"p.requires_grad_({flag})" if form == 1 else f"p.requires_grad = {flag}")
