"""Random statements that exercise Python itself, with tensors in its variables: aliases, closures, classes, unpacking."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from collections.abc import Callable

from tests.differential.author import MATRIX, Author, Var
from tests.differential.expressions import atom, remember, tensor
from tests.differential.mutations import mutate


def alias(a: Author) -> None:
    """Two names for one tensor."""
    names = [name for name in a.find("tensor", lambda var: var.shape == MATRIX) if a.bindable(name)]
    if not names:
        return
    old, new = a.pick(names), a.fresh("x")
    var = a.scope.names[old]
    form = a.pick(
        (
            "{1} = {0}",
            "{1} = {0}.add_(1.0)",
            "{1} = {0}.view(4, 4)",
            "{1} = {0}.detach()",
            "{2} = {1} = {0} * 2.0",
            "{1}, _ = {0}, 1",
            "({1}) = ({0})",
        )
    )
    if var.leaf and "add_" in form and a.careful():
        form = "{1} = {0}"
    a.write(form.format(old, new, a.fresh("x")))
    a.bind(new, Var("tensor", MATRIX, var.grad and "detach" not in form, var.stale))


def repeated(a: Author) -> None:
    """One tensor several times in a list, or a slice, copy or concatenation of lists."""
    name = a.fresh("items")
    lists = [old for old in a.find("list", lambda var: var.shape == MATRIX) if old not in a.iterated]
    if lists and a.chance(0.6):
        old = a.pick(lists)
        var = a.scope.names[old]
        form, size = a.pick((("{0}[:1]", 1), ("list({0})", var.size), ("{0}[::-1]", var.size), ("{0} + {0}", 2 * var.size), ("[*{0}]", var.size),
                             ("list(reversed({0}))", var.size), ("list(map(lambda t: t * 2.0, {0}))", var.size), ("[t for t in {0} if t is not None]", var.size),
                             ("sorted({0}, key=lambda t: 0)", var.size), ("[t for pair in zip({0}, {0}) for t in pair]", 2 * var.size)))  # fmt: skip
        a.write(f"{name} = {form.format(old)}")
        a.bind(name, Var("list", MATRIX, var.grad, var.stale, size=size))
        return
    value = tensor(a, MATRIX, 2)
    a.write(f"{name} = {a.pick(('[{0}] * 2', '[{0} for _ in range(2)]', '[*({0}, {0})]')).format(value.text)}")
    a.bind(name, Var("list", MATRIX, value.grad, value.stale, size=2))


def gathered(a: Author) -> None:
    """A list or dict of tensors, made into one."""
    lists = a.find("list", lambda var: var.shape == MATRIX)
    name = a.fresh("x")
    if lists:
        old = a.pick(lists)
        var = a.scope.names[old]
        form = a.pick(("torch.stack({0}).sum(0)", "sum({0})", "functools.reduce(lambda s, t: s + t, {0})", "torch.cat({0})[:4]", "functools.reduce(torch.mul, {0})",
                       "torch.stack([t * 0.5 for t in {0}]).mean(0)", "sum(t for t in {0})", "torch.stack(tuple({0}))[0]", "{0}[0] + {0}[-1]", "max([(0, {0}[0])])[1]"))  # fmt: skip
        a.write(f"{name} = {form.format(old)}")
        a.bind(name, Var("tensor", MATRIX, var.grad, var.stale))
        return
    dicts = a.find("dict")
    if dicts:
        old = a.pick(dicts)
        var = a.scope.names[old]
        form = a.pick(('{0}["a"] * {0}["b"]', "sum({0}.values())", "torch.stack(list({0}.values())).mean(0)", 'sum(v for k, v in {0}.items() if k == "a")',
                       '{0}.get("a")', '{{k: v * 2.0 for k, v in {0}.items()}}["b"]', '(lambda a, b: a + b)(**{0})', 'next(iter({0}.values()))'))  # fmt: skip
        a.write(f"{name} = {form.format(old)}")
        a.bind(name, Var("tensor", MATRIX, var.grad, var.stale))


def keyed(a: Author) -> None:
    """A change of a dict of tensors."""
    dicts = [name for name in a.find("dict") if name not in a.scope.fixed]
    if not dicts:
        return
    name, value = a.pick(dicts), tensor(a, MATRIX, 2)
    a.write(
        a.pick(
            (
                '{0}["a"] = {1}',
                "{0}.update(b={1})",
                '{0}.setdefault("a", {1})',
                '{0} = {{**{0}, "a": {1}}}',
                '{0}["b"] += {1}',
                '{0} |= {{"a": {1}}}',
            )
        ).format(name, value.text)
    )
    var = a.scope.names[name]
    var.grad, var.stale = var.grad or value.grad, var.stale or value.stale


def window(a: Author) -> None:
    """A bounded memory of tensors."""
    name = a.fresh("memory")
    a.write(f"{name} = deque(maxlen=2)")
    first = tensor(a, MATRIX, 1)
    a.write(f"{name}.append({first.text})")
    with a.block(f"for i in range({a.rng.randint(1, 3)}):"):
        value = tensor(a, MATRIX, 2, grad=True)
        a.write(f"{name}.append({value.text}{a.pick(('', '.detach()')) if value.text.endswith(')') else ''})")
        if a.chance(0.4):
            total = a.fresh("loss")
            a.write(f"{total} = sum({name}).mean()")
            a.write(f"{total}.backward()" if a.chance(0.6) and not a.careful() else f"{total}.item()")
            a.spoil()
    result = a.fresh("x")
    a.write(f"{result} = {name}[{a.pick((0, -1))}]")
    a.bind(result, Var("tensor", MATRIX, True, True))


def several(a: Author) -> None:
    """A function that gives several values, or takes its values in other ways."""
    name, one, two = a.fresh("fn"), a.fresh("x"), a.fresh("x")
    head = a.pick(
        (
            "def {0}(t, *, scale=0.5):",
            "def {0}(t, scale: float = 0.5) -> tuple:",
            "def {0}(t, *args, scale=0.5):",
            "def {0}(t, /, scale=0.5):",
        )
    )
    with a.definition(head.format(name), {"t": Var("tensor", MATRIX, a.chance(0.5))}, here=a.chance(0.3)):
        if a.chance(0.4):
            mutate(a, None if a.careful() else ("t", MATRIX))
        value = tensor(a, MATRIX, 1, grad=True)
        a.write(
            f"return {a.pick(('t * scale, {0}', '{0}, t', '({0}, t.detach())', 't, t + scale', '[t, {0}]')).format(value.text)}"
        )
    argument = atom(a, MATRIX)
    call = a.pick(
        ("{0}({1})", "{0}(*[{1}])", "{0}(*({1},), **{{}})", "{0}({1}, scale=2.0)", "{0}({1}, **dict(scale=1.0))")
    ).format(name, argument.text)
    a.write(
        a.pick(
            (
                "{0}, {1} = {2}",
                "({0}, {1}) = {2}",
                "[{0}, {1}] = {2}",
                "{0}, *({1},) = {2}",
                "{0}, {1} = (t * 1.0 for t in {2})",
            )
        ).format(one, two, call)
    )
    for result in (one, two):
        a.bind(result, Var("tensor", MATRIX, a.scope.recording, argument.stale))


def accumulator(a: Author) -> None:
    """A closure that keeps state between calls."""
    make, use = a.fresh("make"), a.fresh("fn")
    update = (
        a.pick(("state = state.detach() * 0.5 + t", "state = state.detach() + t.detach()"))
        if a.careful()
        else a.pick(("state = state * 0.5 + t", "state += t", "state = t", "state = torch.tanh(state + t)"))
    )
    a.definitions.extend([
        f"def {make}(state):",
        f"    {a.pick(('count = 0', 'seen = []'))}",
        "    def call(t):",
        "        nonlocal state",
        f"        {update}",
        "        return state",
        "    return call",
        "",
    ])  # fmt: skip
    a.write(f"{use} = {make}({tensor(a, MATRIX, 1).text})")
    a.bind(use, Var("function", MATRIX, size=1))
    result = a.fresh("x")
    a.write(f"{result} = {use}({atom(a, MATRIX).text})")
    a.bind(result, Var("tensor", MATRIX, a.scope.recording))


def instance(a: Author) -> None:
    """A class of the program's own, with the members that classes have."""
    name, item = a.fresh("Scale"), a.fresh("scale")
    change = (
        a.pick(("self.w = self.w + t", "self.w += t", "self.w.mul_(0.5)", "self.seen.append(t)"))
        if not a.careful()
        else a.pick(("self.w = self.w.detach() * 0.5", "self.seen.append(t.detach())", "self.count += 1"))
    )
    a.definitions.extend([
        f"class {name}:",
        "    rate = 0.5",
        "    def __init__(self, w):",
        "        self.w = w",
        "        self.seen = []",
        "        self.count = 0",
        "    def __call__(self, t):",
        f"        {change}",
        f"        return {a.pick(('t * self.w', 'self.plus(t) * self.twice', 't + self.w * self.rate', 'self.plus(t @ self.w)', 'self.make(t)'))}",
        "    @property",
        "    def twice(self):",
        "        return self.w * 2.0",
        "    @staticmethod",
        "    def plus(t):",
        f"        return {a.pick(('t + 1.0', 't.exp()', 't.sigmoid()'))}",
        "    @classmethod",
        "    def make(cls, t):",
        "        return t * cls.rate",
        "    def __getitem__(self, index):",
        "        return self.w[index]",
        "    def __len__(self):",
        "        return 4",
        "",
    ])  # fmt: skip
    value = tensor(a, MATRIX, 1)
    a.write(f"{item} = {name}({value.text})")
    a.bind(item, Var("function", MATRIX, size=1))
    if a.chance(0.3):
        a.write(
            a.pick(
                (
                    "{0}.w = {0}.w * 1.0",
                    "{0}.w = nn.Parameter({0}.w.detach().clone())",
                    'setattr({0}, "w", {0}.w + 1.0)',
                )
            ).format(item)
        )
    result, argument = a.fresh("x"), atom(a, MATRIX)
    a.write(
        f"{result} = {a.pick(('{0}({1})', '{0}({1}) + {0}.twice', '{0}.make({1})', '{0}[0] + {0}({1})', 'getattr({0}, {2})({1})')).format(item, argument.text, chr(34) + 'plus' + chr(34))}"
    )
    a.bind(result, Var("tensor", MATRIX, a.scope.recording, argument.stale))


def recursion(a: Author) -> None:
    """A function that calls itself a known number of times."""
    name, result = a.fresh("fn"), a.fresh("x")
    step = (
        a.pick(("t * 0.5", "torch.sin(t)", "t + 1.0", "F.relu(t)", "t.clone()"))
        if a.careful()
        else a.pick(("t.mul_(0.5)", "t.exp()", "F.relu(t, inplace=True)", "t.sigmoid_()"))
    )
    a.definitions.extend([f"def {name}(t, n):", f"    return t if n == 0 else {name}({step}, n - 1)", ""])
    value = tensor(a, MATRIX, 1, grad=True)
    a.write(f"{result} = {name}({value.text}, {a.rng.randint(1, 3)})")
    a.bind(result, Var("tensor", MATRIX, value.grad and a.scope.recording, value.stale))


def flows(a: Author, statement: Callable[[Author], None]) -> None:
    """Ways through the program that are rarer: match, walrus, endless loops, else of loops, handlers, contexts."""
    form = a.pick(("match", "walrus", "endless", "for_else", "null", "stack", "nested", "handler", "assert", "flag"))
    if form == "match":
        with a.block(f"match {a.pick(('1', '2', chr(34) + 'x' + chr(34), '(1, 2)'))}:"):
            for case in ("case 1:", a.pick(('case "x" | "y":', "case (1, _):", "case 2 if True:")), "case _:"):
                with a.block(case):
                    statement(a)
    elif form == "walrus":
        name = a.fresh("x")
        value = tensor(a, MATRIX, 2)
        with a.block(f"if ({name} := {value.text}) is not None:"):
            remember(a, name, MATRIX, value)
            statement(a)
    elif form == "endless":
        count = a.fresh("n")
        a.write(f"{count} = 0")
        with a.block("while True:"):
            a.write(f"{count} += 1")
            statement(a)
            with a.block(f"if {count} >= {a.rng.randint(1, 3)}:"):
                a.write("break")
    elif form == "for_else":
        with a.block(f"for i in range({a.rng.randint(1, 2)}):"):
            with a.block(f"if i == {a.pick((1, 5))}:"):
                a.write("break")
            statement(a)
        with a.block("else:"):
            statement(a)
    elif form == "null":
        with a.block(
            a.pick(
                (
                    "with contextlib.nullcontext():",
                    "with torch.no_grad() if 1 > 2 else contextlib.nullcontext():",
                    "with contextlib.suppress(KeyError):",
                )
            )
        ):
            statement(a)
    elif form == "stack":
        before = a.scope.recording
        with a.block("with contextlib.ExitStack() as stack:"):
            a.write("stack.enter_context(torch.no_grad())")
            a.scope.recording = False
            statement(a)
            a.scope.recording = before
    elif form == "nested":
        with a.block("if True:"), a.block("if not False and (1 < 2 <= 3):"):
            statement(a)
    elif form == "handler":
        with a.block("try:"):
            statement(a)
            a.write(a.pick(("raise ValueError", '{}["missing"]', "[][1]", "int('x')")))
        with a.block("except (ValueError, LookupError):"):
            statement(a)
    elif form == "assert":
        value = atom(a, MATRIX)
        a.write(
            f"assert {value.operand}.shape == (4, 4) and {value.operand}.ndim == 2 and {value.operand}.size(0) == 4"
        )
    else:
        flag = a.fresh("flag")
        a.write(f"{flag} = {a.pick(('True', 'False', 'bool([])', 'not 0', 'all([1, 2])', 'any([])'))}")
        with a.block(f"if {flag}:"):
            statement(a)
        if a.chance(0.6):
            with a.block(f"if not {flag}:"):
                statement(a)


def stream(a: Author) -> None:
    """A generator function, its consumer interleaved with it."""
    name = a.fresh("stream")
    head = f"def {name}(t, count):"
    with a.definition(head, {"t": Var("tensor", MATRIX, a.chance(0.5))}), a.block("for _ in range(count):"):
        a.write(a.pick(("yield t", "yield t * 2.0", "yield t.clone()", "yield t.detach()")))
        if a.chance(0.5):
            careful, bold = ("t = t * 0.5", "t = t.detach()"), ("t *= 0.5", "t = t.exp()", "t.add_(1.0)")
            a.write(a.pick(careful if a.careful() else bold))
    value = tensor(a, MATRIX, 1)
    call = f"{name}({value.text}, {a.rng.randint(1, 3)})"
    with a.block(
        a.pick(
            (
                f"for item in {call}:",
                f"for i, item in enumerate({call}):",
                f"for item in list({call}):",
                f"for item, _ in zip({call}, range(9)):",
            )
        )
    ):
        a.bind("item", Var("tensor", MATRIX, True))
        a.scope.fixed -= {"item"}
        if a.chance(0.5):
            mutate(a, None if a.careful() else ("item", MATRIX))
        loss = a.fresh("loss")
        a.write(f"{loss} = ({tensor(a, MATRIX, 1, grad=True).operand} * item).sum()")
        if a.chance(0.6):
            with a.block(f"if {loss}.requires_grad:"):
                a.write(f"{loss}.backward()")
        a.spoil()
    a.scope.names.pop("item", None)


STATEMENTS: tuple[tuple[float, Callable[[Author], None]], ...] = (
    (2, alias), (1, repeated), (2, gathered), (1, keyed), (0.5, window), (1, accumulator), (1, instance), (0.5, recursion), (1, several), (0.7, stream),
)  # fmt: skip
