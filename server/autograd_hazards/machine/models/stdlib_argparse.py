"""``argparse``: an attribute of the parsed arguments is its default, where a run is likely to leave it so."""

from __future__ import annotations

import ast

from .. import calls
from ..values import LIKELY, Instance, Unknown, Value
from .registry import CLASSES, Call, Machine, lib_class, method
from .stdlib_typing import NAMESPACE

lib_class(
    "argparse.ArgumentParser",
    aliases=("configargparse.ArgumentParser", "configargparse.ArgParser", "transformers.HfArgumentParser", "tap.Tap"),
)


class Arguments(dict[str, Value]):
    """What stands for each argument; ``exact`` holds what it is when the command line is empty."""

    def __init__(self) -> None:
        super().__init__()
        self.exact: dict[str, Value] = {}


def _arguments(self: Instance) -> Arguments:
    if not isinstance(self.data, Arguments):
        self.data = Arguments()
    found: Arguments = self.data
    return found


@method("argparse.ArgumentParser", "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    _arguments(self)
    parents = call.kwargs.get("parents")
    for parent in parents if isinstance(parents, list) else ():
        if isinstance(parent, Instance) and isinstance(parent.data, Arguments):
            _arguments(self).update(parent.data)
            _arguments(self).exact.update(parent.data.exact)
    return None


def destination(names: list[Value], given: Value) -> str | None:
    """The attribute that ``add_argument(*names, dest=given)`` fills."""
    if isinstance(given, str):
        return given
    texts = [n for n in names if isinstance(n, str)]
    long = next((n for n in texts if n.startswith("--")), None)
    chosen = long or (texts[0] if texts else None)
    return chosen.lstrip("-").replace("-", "_") if chosen else None


@method("argparse.ArgumentParser", "add_argument", "add")
def _add_argument(m: Machine, self: Instance, call: Call) -> Value:
    name = destination(call.args, call.kwargs.get("dest"))
    if name is not None:
        own = _arguments(self)
        own.setdefault(name, default_of(m, name, call.kwargs, call.node))
        if all(isinstance(a, str) and a.startswith("-") for a in call.args) and call.kwargs.get("required") is not True:
            own.exact.setdefault(name, unused(m, name, call.kwargs, call.node))
    return Unknown("action")


def unused(m: Machine, name: str, options: dict[str, Value], node: ast.AST) -> Value:
    """The value of an option that the command line does not mention."""
    action = options.get("action")
    default = options.get("default", action == "store_false" if action in ("store_true", "store_false") else None)
    if isinstance(default, str) and options.get("type") not in (None, str):
        return calls.call(m, options["type"], [default], {}, node)
    return default if isinstance(default, bool | int | float | str | list | tuple | None) else Unknown(name)


def default_of(m: Machine, name: str, options: dict[str, Value], node: ast.AST) -> Value:
    """The value that stands for an argument: numbers and texts by default, unknown where the command line decides."""
    action, kind = options.get("action"), options.get("type")
    default = options.get("default")
    if action == "store_const" or (isinstance(action, str) and action.startswith("store_")) or action is not None:
        return Unknown(name)
    if default is None or isinstance(default, bool) or kind is bool:
        return Unknown(name)
    if "choices" in options:
        chosen = Unknown(name)
        if isinstance(default, int | float | str):
            chosen.facet(LIKELY, lambda: default)
        return chosen
    if isinstance(default, str) and kind in (int, float):
        return calls.call(m, kind, [default], {}, node)
    if isinstance(default, int) and kind is float:
        return float(default)
    if isinstance(default, str) and callable(kind) is False and kind is not None and kind is not str:
        return Unknown(name)
    return default if isinstance(default, int | float | str | list | tuple) else Unknown(name)


@method("argparse.ArgumentParser", "add_argument_group", "add_mutually_exclusive_group", "add_subparsers", "add_parser")
def _group(m: Machine, self: Instance, call: Call) -> Value:
    made = Instance(CLASSES["argparse.ArgumentParser"], m.here(call.node))
    made.data = _arguments(self)
    return made


@method("argparse.ArgumentParser", "set_defaults")
def _set_defaults(m: Machine, self: Instance, call: Call) -> Value:
    _arguments(self).update(call.kwargs)
    _arguments(self).exact.update(call.kwargs)
    return None


@method("argparse.ArgumentParser", "get_default")
def _get_default(m: Machine, self: Instance, call: Call) -> Value:
    name = call.get(0, "dest")
    return _arguments(self).get(name, Unknown("argument")) if isinstance(name, str) else Unknown("argument")


@method("argparse.ArgumentParser", "parse_args")
def _parse_args(m: Machine, self: Instance, call: Call) -> Value:
    made = call.get(1, "namespace")
    if not isinstance(made, Instance):
        made = Instance(NAMESPACE, m.here(call.node))
    own = _arguments(self)
    made.attrs.update(own)
    given = call.get(0, "args")
    if isinstance(given, list | tuple) and not given:
        made.attrs.update(own.exact)
    return made


@method("argparse.ArgumentParser", "parse_known_args")
def _parse_known_args(m: Machine, self: Instance, call: Call) -> Value:
    return _parse_args(m, self, call), []


@method("argparse.ArgumentParser", "error", "exit")
def _error(m: Machine, self: Instance, call: Call) -> Value:
    from ..core import Raised

    raise Raised(m.session.make_exception("SystemExit", ""), m.here(call.node))


@method("argparse.ArgumentParser", "print_help", "print_usage", "register", "convert_arg_line_to_args")
def _nothing(m: Machine, self: Instance, call: Call) -> Value:
    return None
