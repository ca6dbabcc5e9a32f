"""Random statements: names, views, containers, loops, conditions, grad modes, functions and closures."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential import idioms, language, library, modules
from tests.differential.author import HALF, MATRIX, ROW, SCALAR, Author, Var
from tests.differential.expressions import atom, constant, loss, remember, tensor
from tests.differential.mutations import mutate, overlap

MODES = (
    (4, "with torch.no_grad():", False), (1, "with torch.inference_mode():", False), (1, "with torch.enable_grad():", True),
    (1, "with torch.set_grad_enabled(False):", False), (1, "with torch.set_grad_enabled(True):", True),
    (0.5, "with torch.no_grad(), torch.enable_grad():", True), (0.5, "with torch.autograd.set_grad_enabled(1 > 2):", False),
    (0.5, "with torch.inference_mode(False):", True), (0.5, "with torch.autograd.no_grad():", False), (0.5, "with quiet():", False),
)  # fmt: skip
DECORATORS = (
    "@torch.no_grad()",
    "@torch.inference_mode()",
    "@torch.enable_grad()",
    "@torch.set_grad_enabled(False)",
    "@torch.no_grad",
)


def assign(a: Author) -> None:
    """Bind a new or an old name to a random expression."""
    shape = a.weighted(((6, MATRIX), (1.5, ROW), (1, HALF)))
    old = [name for name in a.find("tensor", lambda var: var.shape == shape and not var.leaf) if a.bindable(name)]
    name = a.pick(old) if old and a.chance(0.4) else a.fresh("x")
    if a.depth and not a.in_function and name not in a.scope.names and old:
        name = a.pick(old)
    value = tensor(a, shape, 3, grad=a.chance(0.6))
    a.write(f"{name} = {value.text}")
    remember(a, name, shape, value)


def views(a: Author) -> None:
    """Parts that share memory with their base, several from one call among them."""
    base = atom(a, MATRIX)
    first, second = a.fresh("v"), a.fresh("v")
    form = a.weighted(((3, "pair"), (2, "rows"), (2, "part"), (1, "loop")))
    if form == "pair":
        call = a.pick(
            (
                "{0}.chunk(2)",
                "torch.chunk({0}, 2)",
                "{0}.split(2)",
                "torch.split({0}, [2, 2])",
                "({0}[:2], {0}[2:])",
                "{0}.tensor_split(2)",
            )
        )
        a.write(f"{first}, {second} = {call.format(base.operand)}")
        for name in (first, second):
            a.bind(name, Var("tensor", HALF, base.grad, base.stale, risky=True))
    elif form == "rows":
        a.write(
            f"{first} = {a.pick(('{0}.unbind(0)', 'list({0})', '[row for row in {0}]', '[{0}[i] for i in range(4)]')).format(base.operand)}"
        )
        a.bind(first, Var("list", ROW, base.grad, base.stale, risky=True, size=4))
    elif form == "part":
        call, shape = a.pick(
            (
                ("{0}[1]", ROW),
                ("{0}[:2]", HALF),
                ("{0}.detach()", MATRIX),
                ("{0}.view(4, 4)", MATRIX),
                ("{0}[:, 0]", ROW),
            )
        )
        a.write(f"{first} = {call.format(base.operand)}")
        a.bind(first, Var("tensor", shape, base.grad and "detach" not in call, base.stale))
    else:
        with a.block(f"for row in {base.operand}:"):
            a.bind("row", Var("tensor", ROW, base.grad, base.stale, risky=True))
            a.scope.fixed -= {"row"}
            mutate(a, None if a.careful() else ("row", ROW))
        a.scope.names.pop("row", None)


def container(a: Author) -> None:
    """A list, dict, tuple, dataclass of tensors, or a change of one."""
    known = [
        name for name in a.find("list", lambda var: var.shape == MATRIX and not var.risky) if name not in a.iterated
    ]
    known = [name for name in known if name not in a.scope.fixed]
    values = [tensor(a, MATRIX, 2) for _ in range(2)]
    grad, stale = any(value.grad for value in values), any(value.stale for value in values)
    form = a.weighted(
        ((3, "list"), (2, "dict"), (2, "box"), (1, "comprehension"), (3, "append"), (1, "unpack"), (1, "swap"))
    )
    if form == "append" and known:
        name = a.pick(known)
        a.write(
            a.pick(
                ("{0}.append({1})", "{0}[0] = {1}", "{0}.insert(0, {1})", "{0}[-1] = {1}", "{0}.extend([{1}])")
            ).format(name, values[0].text)
        )
        var = a.scope.names[name]
        var.grad, var.stale = var.grad or values[0].grad, var.stale or values[0].stale
        return
    if form == "unpack" and known:
        first = a.fresh("x")
        a.write(f"{first}, *_ = {a.pick(known)}")
        a.bind(first, Var("tensor", MATRIX, True, True))
        return
    if form == "swap":
        names = [
            name for name in a.find("tensor", lambda var: var.shape == MATRIX and not var.leaf) if a.bindable(name)
        ]
        if len(names) >= 2:
            first, second = a.rng.sample(names, 2)
            a.write(f"{first}, {second} = {second}, {first}")
            a.scope.names[first], a.scope.names[second] = a.scope.names[second], a.scope.names[first]
            return
    if form == "dict":
        name = a.fresh("d")
        a.write(
            a.pick(('{0} = {{"a": {1}, "b": {2}}}', "{0} = dict(a={1}, b={2})")).format(
                name, values[0].text, values[1].text
            )
        )
        a.bind(name, Var("dict", MATRIX, grad, stale))
    elif form == "box":
        name = a.fresh("box")
        a.write(f"{name} = Box({values[0].text}, {values[1].text})")
        a.bind(name, Var("box", MATRIX, grad, stale))
    elif form == "comprehension":
        name = a.fresh("items")
        source = a.pick(known) if known else None
        size = 2
        if source:
            size = a.scope.names[source].size
            a.write(f"{name} = [{a.pick(('t * 2.0', 't.detach()', 't', 'F.relu(t)', 't.clone()'))} for t in {source}]")
            grad, stale = a.scope.names[source].grad, a.scope.names[source].stale
        else:
            a.write(f"{name} = [{values[0].text} for _ in range(2)]")
        a.bind(name, Var("list", MATRIX, grad, stale, size=size))
    else:
        name = a.fresh("items")
        a.write(f"{name} = [{values[0].text}, {values[1].text}]")
        a.bind(name, Var("list", MATRIX, grad, stale, size=2))


def body(a: Author, count: int) -> None:
    """Some statements, not too deep."""
    for _ in range(count):
        statement(a)


def loop(a: Author) -> None:
    """A loop whose count is known, of any form."""
    a.spoil()
    index = a.pick(("i", "j", "k")) if a.depth < 3 else "n"
    lists = a.find("list", lambda var: var.shape == MATRIX)
    form = a.weighted(((4, "range"), (2, "list"), (1, "enumerate"), (1, "zip"), (1, "while"), (0.7, "generator")))
    if form != "range" and form != "while" and not lists:
        form = "range"
    if form == "while":
        index = a.fresh("n")
        a.write(f"{index} = 0")
        head = f"while {index} < {a.rng.randint(1, 3)}:"
    elif form == "list":
        head = f"for item in {a.pick(lists)}:"
    elif form == "enumerate":
        head = f"for {index}, item in enumerate({a.pick(lists)}):"
    elif form == "zip":
        head = f"for item, other in zip({a.pick(lists)}, {a.pick(lists)}):"
    elif form == "generator":
        head = f"for item in (t + 0.0 for t in {a.pick(lists)}):"
    else:
        head = f"for {index} in range({a.rng.randint(1, 3)}):"
    iterated = a.iterated
    a.iterated = iterated | {name for name in lists if name in head}
    with a.block(head):
        for name in ("item", "other"):
            if f"{name} " in head or f"{name}," in head:
                a.bind(name, Var("tensor", MATRIX, True, True))
                a.scope.fixed -= {name}
        if form == "while":
            a.write(f"{index} += 1")
        if form in ("range", "while", "enumerate") and a.chance(0.35):
            test = a.pick(("{0} == 1", "{0} % 2 == 0", "{0} > 0", "{0} < 1", "not {0}")).format(index)
            if a.chance(0.35):
                with a.block(f"if {test}:"):
                    a.write(a.pick(("continue", "break")))
            else:
                with a.block(f"if {test}:"):
                    body(a, 1)
                if a.chance(0.4):
                    with a.block("else:"):
                        body(a, 1)
        body(a, a.rng.randint(1, 3))
    a.iterated = iterated
    a.spoil()


def condition(a: Author) -> None:
    """A condition that can be decided without numbers."""
    tests = ["True", "1 + 1 == 3", "None is None", "isinstance(1, int)", "torch.is_grad_enabled()"]
    for name in a.find("tensor")[:3]:
        tests += [f"{name} is not None", f"{name} is None", f"isinstance({name}, torch.Tensor)", f"{name}.dim() == 2"]
        tests += [
            f"{name}.requires_grad",
            f"not {name}.requires_grad",
            f"{name}.grad is None",
            f"{name}.is_leaf",
            f"{name}.grad_fn is None",
        ]
    for name in a.find("list")[:1]:
        tests.append(f"len({name}) > 1")
    for name in a.find("module")[:1]:
        tests.append(f"{name}.training")
    with a.block(f"if {a.pick(tests)}:"):
        body(a, a.rng.randint(1, 2))
    if a.chance(0.5):
        with a.block("else:" if a.chance(0.8) else f"elif {a.pick(tests)}:"):
            body(a, a.rng.randint(1, 2))


def mode(a: Author) -> None:
    """Statements under a grad mode; sometimes through the call that lasts."""
    head, recording = a.weighted([(weight, (head, on)) for weight, head, on in MODES])
    before = a.scope.recording
    if a.chance(0.08) and not a.in_function and not a.depth:
        a.write("torch.set_grad_enabled(False)")
        a.scope.recording = False
        body(a, a.rng.randint(1, 2))
        a.write("torch.set_grad_enabled(True)")
        a.scope.recording = before
        return
    with a.block(head, private=False):
        a.scope.recording = recording
        body(a, a.rng.randint(1, 2))
        if not a.find("tensor"):
            assign(a)
        a.scope.recording = before


def wrapped(a: Author) -> None:
    """``try`` with ``finally``, or ``except`` of what never comes."""
    with a.block("try:"):
        body(a, a.rng.randint(1, 2))
    if a.chance(0.5):
        with a.block("except (KeyError, StopIteration):"):
            a.write("raise")
    with a.block("finally:"):
        a.write("done = True")


def function(a: Author) -> None:
    """Define a helper, a lambda or a closure, and call it."""
    form = a.weighted(((4, "helper"), (2, "lambda"), (2, "closure"), (0.7, "partial")))
    name = a.fresh("fn")
    if form == "lambda":
        a.bind("t", Var("tensor", MATRIX, True))
        inner = tensor(a, MATRIX, 2, grad=True)
        a.scope.names.pop("t")
        a.write(f"{name} = lambda t: {inner.text}")
        a.bind(name, Var("function", MATRIX))
    elif form == "partial" and a.find("function", lambda var: var.size == 2):
        other = a.pick(a.find("function", lambda var: var.size == 2))
        a.write(f"{name} = functools.partial({other}, s={constant(a, MATRIX).text})")
        a.bind(name, Var("function", MATRIX))
    else:
        two = form == "helper" and a.chance(0.4)
        head = (
            f"def {name}(t, s=None):"
            if two
            else a.pick(("def {0}(t):", "def {0}(t, scale=2.0):", "def {0}(t, *rest, **options):")).format(name)
        )
        decorators = [a.pick(DECORATORS)] if a.chance(0.15) else []
        with a.definition(head, {"t": Var("tensor", MATRIX, a.chance(0.5))}, decorators, here=form == "closure"):
            if two:
                with a.block("if s is not None:"):
                    a.write(
                        a.pick(
                            ("t = t + s", "t += s", "t = t * s", "t.add_(s)")
                            if not a.careful()
                            else ("t = t + s", "t = t * s")
                        )
                    )
            for _ in range(a.rng.randint(0, 2)):
                a.weighted(((3, assign), (2, mutate), (1, views), (1, container)))(a)
            a.write(f"return {tensor(a, MATRIX, 2, grad=True).text}")
        a.bind(name, Var("function", MATRIX, size=2 if two else 1))
    result = a.fresh("x")
    argument = tensor(a, MATRIX, 1)
    a.write(f"{result} = {name}({argument.text})")
    a.bind(result, Var("tensor", MATRIX, a.scope.recording, argument.stale))


def numbers(a: Author) -> None:
    """Python and numpy numbers out of tensors."""
    value = atom(a, MATRIX)
    safe = (
        "{0}.detach().numpy()",
        "{0}.detach().cpu().numpy()",
        "{0}.tolist()",
        "{0}.mean().item()",
        "np.asarray({0}.detach())",
        "{0}.data.numpy()",
    )
    bold = ("{0}.numpy()", "np.asarray({0})", "{0}.cpu().numpy()", "np.array({0})", "{0}.mean().numpy()")
    a.write(f"{a.fresh('n')} = {a.pick(safe if a.careful() or a.chance(0.5) else bold).format(value.operand)}")


def cut(a: Author) -> None:
    """Cut a history, really or only seemingly."""
    names = [
        name
        for name in a.find("tensor", lambda var: var.grad and not var.leaf and var.shape == MATRIX)
        if a.bindable(name)
    ]
    if not names:
        return
    name = a.pick(names)
    form = a.weighted(((4, "{0} = {0}.detach()"), (1, "{0} = {0}.data"), (1, "{0}.detach()"), (1, "{0} = {0}.detach().requires_grad_()"),
                       (1, "{0} = {0}.clone().detach()"), (0.5, "{0}.detach_()"), (0.5, "{0} = torch.tensor({0}.tolist())")))  # fmt: skip
    a.write(form.format(name))
    if "=" in form:
        a.scope.names[name] = Var("tensor", MATRIX, "requires_grad" in form, leaf="requires_grad" in form)


def backward(a: Author) -> None:
    """A loss and its backward. Careful authors take a new forward, or retain the graph when they walk it again."""
    stale = [name for name in a.find("tensor", lambda var: var.shape == SCALAR and var.grad) if a.bindable(name)]
    if stale and not a.careful():
        name = a.pick(stale)
    else:
        name = a.fresh("loss")
        value = loss(a, 2, grad=True)
        if a.careful() and not (value.grad and a.scope.recording):
            return
        a.write(f"{name} = {value.text}")
        remember(a, name, SCALAR, value)
    again = a.chance(0.12)
    keep = "retain_graph=True" if (again and a.careful()) or a.chance(0.08) else ""
    form = a.weighted(((9, "{0}.backward({1})"), (0.7, "torch.autograd.backward({0}, {1})"), (0.7, "torch.autograd.backward([{0}], {1})"),
                       (0.5, "{0}.backward(torch.tensor(1.0), {1})"), (0.5, "{0}.backward(gradient=torch.ones(()), {1})")))  # fmt: skip
    if a.chance(0.05) and not a.careful():
        value = atom(a, MATRIX, grad=True)
        a.write(
            f"{value.operand}.backward({a.pick(('', '', 'torch.ones(4, 4)', 'torch.ones_like(' + value.text + ')'))})"
        )
    else:
        a.write(form.format(name, keep).replace(", )", ")"))
        if again:
            a.write(f"{name}.backward()")
    a.spoil()


def gradient(a: Author) -> None:
    """``autograd.grad`` towards leaves, parameters or values on the way."""
    inputs = a.find("tensor", lambda var: var.leaf or (var.grad and not var.stale and var.shape == MATRIX))
    modules_ = a.find("module", lambda var: var.grad)
    if not inputs and not modules_:
        return
    value = loss(a, 2, grad=True)
    if a.careful() and not (value.grad and a.scope.recording):
        return
    name = a.fresh("loss")
    a.write(f"{name} = {value.text}")
    options = a.pick(("", ", create_graph=True", ", retain_graph=True", ", create_graph=True, retain_graph=True"))
    if a.chance(0.9):
        options += ", allow_unused=True"
    result = a.fresh("g")
    if inputs and (a.chance(0.6) or not modules_):
        target = a.pick(inputs)
        if "allow_unused" in options and a.careful():
            a.write(
                f"{result} = torch.autograd.grad({name} + 0.0 * {target}.sum(), {a.pick((target, f'[{target}]', f'({target},)'))}{options})[0]"
            )
            a.bind(result, Var("tensor", a.scope.names[target].shape, "create_graph" in options))
        else:
            a.write(f"{result} = torch.autograd.grad({name}, {target}{options})")
    else:
        module = a.pick(modules_)
        a.write(
            f"{result} = torch.autograd.grad({name}, {a.pick(('list({0}.parameters())', 'tuple({0}.parameters())', '[p for p in {0}.parameters()]')).format(module)}{options})"
        )
    a.bind(name, Var("tensor", SCALAR, value.grad, "_graph" not in options))
    if "_graph" not in options:
        a.spoil()


def optimizer(a: Author) -> None:
    """One step of an optimizer that exists, or clearing its gradients."""
    known = a.find("optimizer")
    if not known:
        return
    name = a.pick(known)
    form = a.weighted(
        (
            (4, "{0}.step()"),
            (2, "{0}.zero_grad()"),
            (0.5, "{0}.zero_grad(set_to_none=False)"),
            (0.5, "{0}.zero_grad(set_to_none=True)"),
        )
    )
    a.write(form.format(name))
    if "step" in form:
        a.spoil()


def statement(a: Author) -> None:
    """One random statement, or a block of them."""
    simple = [
        (6, assign),
        (5, mutate),
        (2, views),
        (2.5, container),
        (1, cut),
        (0.7, numbers),
        (0.4, overlap),
        (2.5, backward),
    ]
    simple += [(1, gradient), (1.2, optimizer), (0.5, modules.frozen)]
    if not a.in_function:
        simple += [(1, modules.leaf)]
        if a.depth < 2:
            simple += [(1.8, function)]
    if a.depth < 2:
        simple += [(1.2, loop), (1, condition), (1, mode), (0.4, wrapped)]
        simple += [(1, _language_flow)]
    if not a.in_function:
        simple += [
            (weight * 0.7, write) for weight, write in (*language.STATEMENTS, *library.STATEMENTS, *idioms.STATEMENTS)
        ]
    a.weighted(simple)(a)


def _language_flow(a: Author) -> None:
    language.flows(a, statement)
