"""Mutated Python files: seeded changes of real ones, most still valid Python, each a small shock to whoever reads it.

``mutate(text, random, others)`` gives the new text and the names of the changes. The same seed gives the same text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

Change = Callable[[str, random.Random, Sequence[str]], str]

_TOKEN = re.compile(
    r"[^\W\d]\w*|\d[\w.]*|\"\"\"|'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[-+*/%&|^<>=!@:]+|[()\[\]{},.;~]|\s+|."
)
_KEYWORDS = frozenset(
    "and as assert async await break class continue def del elif else except finally for from global if import in is "
    "lambda nonlocal not or pass raise return try while with yield match case type".split()
)
# What nobody expects as an argument, an operand, an index or a base class.
ODD = (
    "None", "True", "...", "-1", "0", "10**400", "1 << 5000", "float('nan')", "float('inf')", "-1e308", "1j", "''",
    "'x' * 10**9", "b'\\xff'", "[]", "[[]]", "()", "{}", "{None: None}", "set()", "range(10**12)", "range(0)",
    "(lambda *a, **k: a)", "int", "type", "object()", "slice(None)", "iter([])", "(x for x in [1])", "print", "__name__",
    "[None] * 50", "(1, 2, 3)", "{'a': 1}", "'%s%d'", "'{0.a}'", "NotImplemented", "super()", "Exception", "zip", "dict",
    "torch", "torch.nn", "torch.Tensor", "torch.zeros(0)", "torch.tensor(1.0)", "torch.ones(2, 3)", "torch.float32",
    "torch.nn.Linear(1, 1)", "torch.nn.Linear", "torch.no_grad()", "torch.optim.SGD", "torch.device('cpu')", "torch.cat",
    "[torch.ones(1)]", "{'p': torch.ones(1)}", "frozenset({1})", "memoryview(b'')", "10**6", "-5", "2**31", "'cuda'",
)  # fmt: skip
UNICODE = (
    "\u200b",
    "\ufeff",
    "\u0130",
    "\U0001f600",
    "e\u0301",
    "\u2028",
    "\x0c",
    "\x00",
    "\ud800",
    "\u202e",
    "ﬁ",
    "𝒙",
    "\x85",
    "\xa0",
    "²",
)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _solid(tokens: list[str]) -> list[int]:
    return [i for i, token in enumerate(tokens) if not token.isspace()]


def _values(tokens: list[str]) -> list[int]:
    """Tokens that stand for a value: names, numbers and strings."""
    return [
        i for i, t in enumerate(tokens) if t not in _KEYWORDS and (t[0].isalnum() or t[0] in "_\"'") and len(t) < 200
    ]


def delete_tokens(text: str, rng: random.Random, others: Sequence[str]) -> str:
    tokens = _tokens(text)
    for _ in range(rng.randint(1, 4)):
        if solid := _solid(tokens):
            del tokens[rng.choice(solid)]
    return "".join(tokens)


def swap_tokens(text: str, rng: random.Random, others: Sequence[str]) -> str:
    tokens = _tokens(text)
    solid = _solid(tokens)
    for _ in range(rng.randint(1, 3)):
        if len(solid) > 1:
            one, other = rng.sample(solid, 2)
            tokens[one], tokens[other] = tokens[other], tokens[one]
    return "".join(tokens)


def swap_values(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Names, numbers and strings take each other's places: still valid Python, with values where none belong."""
    tokens = _tokens(text)
    values = _values(tokens)
    for _ in range(rng.randint(1, 12)):
        if len(values) > 1:
            one, other = rng.sample(values, 2)
            tokens[one] = tokens[other]
    return "".join(tokens)


def odd_values(text: str, rng: random.Random, others: Sequence[str]) -> str:
    tokens = _tokens(text)
    values = _values(tokens)
    for _ in range(rng.randint(1, 12)):
        if values:
            tokens[rng.choice(values)] = rng.choice(ODD)
    return "".join(tokens)


def odd_arguments(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Whole arguments and operands are replaced, dropped or added: after ``(``, ``,`` and ``=``."""
    tokens = _tokens(text)
    places = [i for i, t in enumerate(tokens) if t in ("(", ",", "=", "[")]
    for _ in range(rng.randint(1, 10)):
        if places:
            i = rng.choice(places)
            odd = rng.choice(ODD)
            tokens[i] += (
                rng.choice([odd + ", ", "*" + odd + ", ", "**" + odd + ", "]) if tokens[i] != "=" else f" {odd} or "
            )
    return "".join(tokens)


def duplicate_lines(text: str, rng: random.Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(lines))
        lines[at:at] = lines[at : at + rng.randint(1, 8)] * rng.choice([1, 1, 1, 20])
    return "\n".join(lines)


def delete_lines(text: str, rng: random.Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    for _ in range(rng.randint(1, 6)):
        if len(lines) > 1:
            del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def shuffle_lines(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Lines of one indentation change places."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 8)):
        one = rng.randrange(len(lines))
        width = len(lines[one]) - len(lines[one].lstrip())
        same = [
            i
            for i in range(max(0, one - 60), min(len(lines), one + 60))
            if len(lines[i]) - len(lines[i].lstrip()) == width
        ]
        other = rng.choice(same)
        lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def halve(text: str, rng: random.Random, others: Sequence[str]) -> str:
    cut = rng.randint(0, len(text))
    return text[:cut] if rng.random() < 0.5 else text[cut:]


def paste(text: str, rng: random.Random, others: Sequence[str]) -> str:
    other = rng.choice(others) if others else text
    lines, source = text.split("\n"), other.split("\n")
    at, start = rng.randrange(len(lines)), rng.randrange(len(source))
    lines[at:at] = source[start : start + rng.randint(1, 60)]
    return "\n".join(lines)


def nest(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """One deeply nested piece: brackets, operators, attributes, calls, blocks, functions, lambdas, comprehensions."""
    n = rng.choice([30, 90, 150, 500, 3000])
    shallow = min(n, 90)
    piece = rng.choice(
        [
            lambda: "x = " + "(" * n + "1" + ")" * n,
            lambda: "x = " + "[" * n + "1" + "]" * n,
            lambda: "x = " + "-" * n + "1",
            lambda: "x = " + "not " * n + "y",
            lambda: "x = " + " + ".join(["a"] * n),
            lambda: "x = " + " ** ".join(["2"] * n),
            lambda: "x = a" + ".b" * n,
            lambda: "x = a" + "(1)" * n,
            lambda: "x = a" + "[0]" * n,
            lambda: "x = " + "f(" * shallow + "1" + ")" * shallow,
            lambda: "x = " + "lambda: " * n + "1",
            lambda: "x = " + " if a else ".join(["1"] * n),
            lambda: "x = " + " and ".join(["a"] * n),
            lambda: "x = " + " < ".join(["a"] * n),
            lambda: "x = [" * 1 + "[i " * shallow + "for i in a]" * shallow + "]",
            lambda: "\n".join("    " * i + "if a:" for i in range(shallow)) + "\n" + "    " * shallow + "pass",
            lambda: "\n".join("    " * i + "for i in range(9):" for i in range(19)) + "\n" + "    " * 19 + "pass",
            lambda: "\n".join("    " * i + "with a:" for i in range(19)) + "\n" + "    " * 19 + "pass",
            lambda: "\n".join("    " * i + f"def f{i}(x):" for i in range(shallow)) + "\n" + "    " * shallow + "return x",
            lambda: "\n".join("    " * i + f"class C{i}:" for i in range(shallow)) + "\n" + "    " * shallow + "x = 1",
            lambda: "if a:\n    pass\n" + "elif a:\n    pass\n" * n,
            lambda: "import torch\nx = torch.ones(1, requires_grad=True)\n" + "x = x * 2\n" * n + "x.backward()",
            lambda: "def f(x): return f(f(f(x)))\nf(1)\nf(f)",
            lambda: "x = []\n" + "x = [x]\n" * n + "print(x == x, repr(x), str(x), len(x))",
            lambda: "x = ()\n" + "x = (x,)\n" * n + "print(x == x, {x: 1}, x in [x], x < x)",
            lambda: "x = []; x.append(x); print(x == x, repr(x), sorted([x, x]), x in [x], [x] == [[x]])",
            lambda: "x = {}; x['x'] = x; print(x == dict(x), str(x), f'{x}', '%s' % x)",
        ]
    )()  # fmt: skip
    return _inserted(text, piece, rng)


def huge(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """A value of enormous size, made with little text or much."""
    piece = rng.choice(
        [
            lambda: "x = " + "9" * rng.choice([100, 4000, 5000, 20_000]),
            lambda: "x = '" + "a" * 200_000 + "'",
            lambda: "x = [" + "0, " * 20_000 + "]",
            lambda: "x = {" + "".join(f"{i}: {i}, " for i in range(5000)) + "}",
            lambda: "x = 'a' * 10**10",
            lambda: "x = [0] * 10**10\nx += x\ny = x * 2",
            lambda: "x = 'ab'\nfor i in range(10**9):\n    x += x",
            lambda: "x = [1]\nfor i in range(10**9):\n    x.extend(x)\n    x = x + x",
            lambda: "x = [1]\nwhile True:\n    x.append(x)\n    x = x * 2",
            lambda: "x = 2\nwhile True:\n    x = x ** x\n    x *= x",
            lambda: "x = 10 ** 10 ** 10\ny = 1 << 10 ** 10\nz = 2 ** -10**400\nw = 2.0 ** 10**5",
            lambda: "x = list(range(10**10))\ny = sum(range(10**12))\nz = tuple(range(10**9))\nw = max(range(10**10))",
            lambda: "x = {i: j for i in range(10**6) for j in range(10**6) for k in range(10**6)}",
            lambda: "x = [i for i in range(10**9)]\ny = sorted(x)\nz = ''.join(map(str, x))",
            lambda: "import itertools\nx = list(itertools.count())\ny = list(itertools.product(range(1000), repeat=9))\n"
            "z = list(itertools.permutations(range(50)))\nw = list(itertools.cycle([1]))\nv = list(itertools.repeat(1))",
            lambda: "x = '{:>1000000000}'.format(1)\ny = '%1000000000d' % 1\nz = f'{1:1000000000}'\nw = format(1, '999999999d')",
            lambda: "import torch\nx = torch.zeros(10**12)\ny = x.chunk(10**9)\nz = x.split(1)\nw = x.unbind()\nfor i in x: pass",
            lambda: "import torch\nx = torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(10**6)])\nlist(x.parameters())",
            lambda: "import numpy as np\nx = np.zeros((10**6, 10**6))\ny = list(x)\nz = np.arange(10**12).tolist()",
            lambda: "x = int('9' * 5000)\ny = str(10 ** 5000)\nz = f'{10**5000}'\nw = '%d' % 10**5000\nv = repr(10**5000)",
            lambda: "x = float(10**400)\ny = 10**400 / 3\nz = 10**400 * 1.0\nw = 10**400 % 1.5\nv = round(1e400)\nu = int(float('nan'))",
            lambda: "x = bytes(10**10)\ny = bytearray(10**10)\nz = b'a' * 10**10",
            lambda: "def f(n):\n    return f(n - 1) + f(n - 2)\nf(10**6)",
            lambda: "def g():\n    while True:\n        yield 1\nx = list(g())\ny = sum(g())\nz = dict(zip(g(), g()))\nfor i in g(): pass",
            lambda: "def g():\n    yield from g()\nlist(g())\nfor i in g(): pass",
            lambda: "class A:\n    def __iter__(self): return self\n    def __next__(self): return 1\nx = list(A()); y = [*A()]; z = tuple(A())",
            lambda: "class A:\n    def __getattr__(self, n): return getattr(self, n)\n    def __eq__(self, o): return o == self\n"
            "    def __len__(self): return len(self)\n    def __call__(self): return self()\nA().x; A() == A(); len(A()); A()()",
            lambda: "\n".join(f"if a{i}: x = {i}" for i in range(200)),
            lambda: "def f(" + ", ".join(f"a{i}" for i in range(2000)) + "): pass\nf(" + "1, " * 2000 + ")",
            lambda: "\n".join(f"def f{i}(x):\n    x += 1\n    return f{i + 1}(x)" for i in range(300)) + "\nf0(1)",
        ]
    )()  # fmt: skip
    return _inserted(text, piece, rng)


def unicode(text: str, rng: random.Random, others: Sequence[str]) -> str:
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(UNICODE) + text[at:]
    return text


def characters(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Single characters changed, as a hand slips."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice("()[]{}:,.'\"\\#\n\t =*0a@~`$") + text[at + rng.randint(0, 1) :]
    return text


def indent(text: str, rng: random.Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    for _ in range(rng.randint(1, 4)):
        at, by = rng.randrange(len(lines)), rng.choice(["    ", "\t", " ", "  "])
        for i in range(at, min(len(lines), at + rng.randint(1, 10))):
            lines[i] = by + lines[i] if rng.random() < 0.7 else lines[i].removeprefix(by)
    return "\n".join(lines)


def _inserted(text: str, piece: str, rng: random.Random) -> str:
    """The text with a piece at top level, before a line that starts a statement there."""
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if re.match(r"(def|class|import|from|if|for|@|\w+ =)", line)] or [
        len(lines)
    ]
    at = rng.choice(places)
    lines[at:at] = piece.split("\n")
    return "\n".join(lines)


CHANGES: dict[str, tuple[Change, int]] = {  # with how often each is chosen
    "delete_tokens": (delete_tokens, 3),
    "swap_tokens": (swap_tokens, 2),
    "swap_values": (swap_values, 6),
    "odd_values": (odd_values, 6),
    "odd_arguments": (odd_arguments, 5),
    "duplicate_lines": (duplicate_lines, 2),
    "delete_lines": (delete_lines, 2),
    "shuffle_lines": (shuffle_lines, 3),
    "halve": (halve, 1),
    "paste": (paste, 3),
    "nest": (nest, 2),
    "huge": (huge, 3),
    "unicode": (unicode, 1),
    "characters": (characters, 1),
    "indent": (indent, 1),
}


def mutate(text: str, rng: random.Random, others: Sequence[str] = ()) -> tuple[str, list[str]]:
    """One to three changes of ``text``; ``others`` are texts to paste pieces from. Also the names of the changes."""
    names = rng.choices(list(CHANGES), [weight for _, weight in CHANGES.values()], k=rng.choice([1, 1, 2, 3]))
    for name in names:
        text = CHANGES[name][0](text, rng, others)
    return text, names
