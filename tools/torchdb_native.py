"""What the installed torch says about its ATen ops as text: schemas, python signatures, derivative formulas.

Reads `native_functions.yaml` and `derivatives.yaml` with the loader that torch's own code generator uses; runs no op.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import torchgen
from torchgen.api.python import PythonArgument, PythonSignatureGroup
from torchgen.gen import parse_native_yaml
from torchgen.model import Argument, NativeFunction, SchemaKind
from torchgen.packaged.autograd import gen_python_functions as bindings
from torchgen.packaged.autograd.load_derivatives import load_derivatives

ROOT = Path(torchgen.__file__).parent / "packaged"
NATIVE = str(ROOT / "ATen/native/native_functions.yaml")
TAGS = str(ROOT / "ATen/native/tags.yaml")
DERIVATIVES = str(ROOT / "autograd/derivatives.yaml")
DEPRECATED = str(ROOT / "autograd/deprecated.yaml")

# python_arg_parser.cpp, should_allow_numbers_as_tensors: these take a Python number where the schema says Tensor.
NUMBERS_AS_TENSORS = frozenset(
    f"{name}{suffix}"
    for name in ("add", "sub", "mul", "div", "subtract", "multiply", "divide", "true_divide", "floor_divide")
    for suffix in ("", "_")
) | {"copy_", "copy", "to", "_to_copy"}

# Ops which return a view when they can and a copy when they must.
MAYBE_VIEWS = frozenset(
    "reshape reshape_as flatten contiguous to ravel type_as resolve_conj resolve_neg real atleast_1d atleast_2d "
    "atleast_3d to_dense nan_to_num_ pin_memory _reshape_alias conj conj_physical narrow_copy cpu float double".split()
) - {"nan_to_num_", "conj", "conj_physical", "narrow_copy", "real"}

NAMESPACES: dict[str, tuple[str, Callable[[NativeFunction], bool]]] = {
    "method": ("method", bindings.is_py_variable_method),
    "torch": ("", bindings.is_py_torch_function),
    "nn": ("nn", bindings.is_py_nn_function),
    "fft": ("fft_", bindings.is_py_fft_function),
    "linalg": ("linalg_", bindings.is_py_linalg_function),
    "special": ("special_", bindings.is_py_special_function),
}


@dataclass
class Saved:
    """What the formulas of one op read, under the condition of the code generator."""

    inputs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)
    diff: list[str] = field(default_factory=list)
    nondiff: list[int] = field(default_factory=list)


@dataclass
class Native:
    """All native functions of the wheel, their derivatives and their python bindings."""

    functions: dict[str, NativeFunction]
    saved: dict[str, Saved]
    bindings: dict[str, dict[str, list[PythonSignatureGroup]]]


def kind_code(argument_type: str, number: bool = False) -> str:
    """The one-letter kind of a schema type; `?` is appended where None is allowed."""
    base = argument_type
    nullable = base.endswith("?")
    if nullable:
        base = base[:-1]
    if base == "Tensor":
        return "O" if nullable else ("W" if number else "T")
    sized = re.fullmatch(r"(\w+)\??\[(\d*)\]", base)
    if sized:
        element, size = sized.groups()
        if element == "Tensor":
            code = "L"
        elif element in ("int", "SymInt"):
            code = "s" if size else "S"
        elif element in ("Scalar", "float"):
            code = "F"
        else:
            code = "X"
    else:
        code = {
            "Scalar": "N",
            "float": "N",
            "int": "I",
            "SymInt": "I",
            "bool": "B",
            "str": "Z",
            "ScalarType": "D",
        }.get(base, "X")
    return code + ("?" if nullable else "")


def _default(argument: PythonArgument | Argument) -> str | None:
    """The default as JSON text, None where the argument is required."""
    text = argument.default
    if text is None:
        return None
    literal = {"None": "null", "False": "false", "True": "true", "::std::nullopt": "null", "nullptr": "null"}.get(text)
    if literal is not None:
        return literal
    if "nullopt" in text or text in ("{}", "Generator()"):
        return "null"
    if text.startswith("{"):
        return "[" + text[1:-1].replace(" ", "") + "]"
    if re.fullmatch(r"-?[\d.]+(e-?\d+)?", text):
        return text
    if text.startswith(("'", '"')):
        return json.dumps(text[1:-1])
    return json.dumps(text)


def parameter_text(name: str, code: str, default: str | None) -> str:
    """One parameter of a row: `name:kind` or `name:kind=json`."""
    return f"{name}:{code}" + ("" if default is None else f"={default}")


def signature_text(signature_group: PythonSignatureGroup, method: bool) -> str:
    """The parameters of a binding in call order, `;` between, `*` before the keyword-only ones."""
    signature = signature_group.signature
    number = signature.name in NUMBERS_AS_TENSORS
    parts: list[str] = ["self:T"] if method else []

    def one(argument: PythonArgument) -> str:
        text = str(argument.type)
        code = kind_code(text, number and argument.name not in ("self", "input"))
        name = "input" if argument.name == "self" and text == "Tensor" and not method else argument.name
        return parameter_text(name, code, _default(argument))

    parts += [one(a) for a in signature.input_args if not (method and a.name == "self")]
    keywords = [one(a) for a in signature.input_kwargs]
    out = signature.output_args
    if out is not None:
        keywords.append(parameter_text("out", "O" if len(out.outputs) == 1 else "L?", "null"))
    keywords += [one(a) for a in signature.tensor_options_args]
    if keywords:
        parts += ["*", *keywords]
    return ";".join(parts)


def _saved(info: object, function: NativeFunction) -> Saved:
    """Apply the guard rule of the code generator to the formulas of one op."""
    derivatives = info.derivatives  # type: ignore[attr-defined]
    result = Saved()
    arguments = {a.name: a for a in function.func.schema_order_arguments()}
    for derivative in derivatives:
        result.diff += [n for n in derivative.var_names if n not in result.diff and n in arguments]
    lists = any(str(a.type).endswith("[]") and "Tensor" in str(a.type) for a in arguments.values())
    backward = "backward" in str(function.func.name)
    for name in arguments:
        readers = [d for d in derivatives if any(s.nctype.name == name for s in d.saved_inputs)]
        if not readers or "Tensor" not in str(arguments[name].type):
            continue
        condition: tuple[str, ...] = ()
        plain = str(arguments[name].type) == "Tensor"
        if len(readers) == 1 and len(result.diff) > 1 and plain and not lists and not backward:
            if len(readers[0].var_names) == 1:
                condition = (readers[0].var_names[0],)
            elif found := re.search(rf"wrap_opt_if\({name},(.*?)\)", readers[0].formula):
                masks = re.findall(r"grad_input_mask\[(\d+)\]", found.group(1))
                condition = tuple(readers[0].var_names[int(m)] for m in masks)
        result.inputs[name] = condition
    for derivative in derivatives:
        for saved in derivative.saved_outputs:
            if saved.nctype.name not in result.outputs and "Tensor" in str(saved.nctype.type):
                result.outputs.append(saved.nctype.name)
    differentiable = info.output_differentiability  # type: ignore[attr-defined]
    if differentiable:
        result.nondiff = [i for i, yes in enumerate(differentiable) if yes is False]
    return result


def output_index(function: NativeFunction, name: str) -> int:
    """The index of the output that a formula calls `result`, `result1` or by its own name."""
    names = [r.name for r in function.func.returns]
    if name in names:
        return names.index(name)
    digits = re.fullmatch(r"result(\d*)", name)
    return int(digits.group(1) or 0) if digits else 0


def returns_of(function: NativeFunction) -> list[str]:
    """What each output is, as far as the schema says it."""
    arguments = {a.annotation: a.name for a in function.func.schema_order_arguments() if a.annotation}
    by_alias = {
        s: a.name for a in function.func.schema_order_arguments() if a.annotation for s in a.annotation.alias_set
    }
    del arguments
    result = []
    for item in function.func.returns:
        if not item.annotation or not item.annotation.alias_set:
            result.append("new")
            continue
        source = by_alias.get(item.annotation.alias_set[0], "self")
        if item.annotation.is_write:
            result.append(f"alias:{source}")
        elif function.func.name.name.base in MAYBE_VIEWS:
            result.append(f"maybe_view:{source}")
        elif str(item.type).endswith("[]"):
            result.append(f"multiview:{source}")
        else:
            result.append(f"view:{source}")
    return result


def writes_of(function: NativeFunction) -> list[str]:
    """The arguments that the schema marks `(a!)`."""
    return [
        a.name
        for a in function.func.schema_order_arguments()
        if a.annotation is not None and a.annotation.is_write and a not in function.func.arguments.out
    ]


def _group(pairs: Iterable[object], predicate: Callable[[NativeFunction], bool], prefix: str, method: bool) -> dict:
    grouped: dict[str, list] = {}
    for pair in pairs:
        if predicate(pair.function):  # type: ignore[attr-defined]
            grouped.setdefault(str(pair.function.func.name.name), []).append(pair)  # type: ignore[attr-defined]
    result = {}
    for name, overloads in grouped.items():
        ordered = bindings.sort_overloads(bindings.group_overloads(overloads))
        result[name.removeprefix(prefix)] = list(ordered)
    del method
    return result


def load() -> Native:
    """Read the wheel. Takes about 5 s, most of it YAML."""
    functions = parse_native_yaml(NATIVE, TAGS).native_functions
    infos, _ = load_derivatives(DERIVATIVES, NATIVE, TAGS)
    by_name = {str(f.func.name): f for f in functions}
    saved = {}
    for schema, per_key in infos.items():
        info = per_key.get("Default")
        if info is None:
            # AutogradNestedTensor and the like alone: the strided tensor has no formula of its own.
            continue
        saved[str(schema.name)] = _saved(info, by_name[str(schema.name)])
    bound = [f for f in functions if bindings.should_generate_py_binding(f)]
    pairs = {m: bindings.load_signatures(bound, DEPRECATED, method=m) for m in (False, True)}
    names = {
        space: _group(
            pairs[space == "method"], predicate, "" if space in ("method", "nn") else prefix, space == "method"
        )
        for space, (prefix, predicate) in NAMESPACES.items()
    }
    return Native(by_name, saved, names)


def functional_of(native: Native, name: str) -> str | None:
    """The out-of-place overload of an in-place one (`mul_.Tensor` to `mul.Tensor`), None where there is none."""
    function = native.functions[name]
    if function.func.kind() is not SchemaKind.inplace:
        return None
    signature = function.func.signature()
    for other in native.functions.values():
        if other.func.kind() is SchemaKind.functional and other.func.signature() == signature:
            return str(other.func.name)
    return None
