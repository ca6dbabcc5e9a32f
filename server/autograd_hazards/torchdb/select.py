"""Choose an overload as torch's argument parser does: the first that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .model import Overload, Param

_NUMBERS = frozenset({"int", "scalar", "bool"})


def _fits(param: Param, kind: str, tensor_as_number: bool) -> bool:
    wanted = param.kind
    if kind == "unknown" or wanted == "other":
        return True
    if kind == "none":
        return param.nullable or wanted == "optional_tensor" or (not param.required and param.default is None)
    if kind == wanted:
        return True
    if wanted in ("tensor", "optional_tensor"):
        return kind in ("tensor", "optional_tensor") or (param.accepts_number and kind in _NUMBERS)
    if wanted == "scalar":
        return kind in _NUMBERS or (tensor_as_number and kind == "tensor")
    if wanted == "int":
        return tensor_as_number and kind == "tensor"
    if wanted == "ints":
        return kind == "int" and param.single
    return wanted == "scalars" and (kind == "ints" or (kind in _NUMBERS and param.single))


def _accepts(
    overload: Overload, positional: Sequence[str], keywords: Mapping[str, str], tensor_as_number: bool
) -> bool:
    slots = [p for p in overload.params if not p.keyword_only]
    named = {p.name: p for p in overload.params if not p.variadic}
    taken: set[str] = set()
    for index, kind in enumerate(positional):
        if index < len(slots) and not slots[index].variadic:
            param = slots[index]
            rest = positional[index:]
            # view(2, 3): the rest of the positional arguments makes the list where the list is the last of all
            if param.kind == "ints" and index == len(slots) - 1 and len(rest) >= 1 and _all_ints(rest):
                taken.add(param.name)
                break
            if not _fits(param, kind, tensor_as_number):
                if param.kind == "ints" and index <= 1 and _all_ints(rest):
                    taken.add(param.name)
                    break
                return False
            taken.add(param.name)
        elif any(p.variadic for p in slots):
            taken.update(p.name for p in slots if p.variadic)
            break
        else:
            return False
    for name, kind in keywords.items():
        found = named.get(name)
        if found is None or name in taken or not _fits(found, kind, tensor_as_number):
            return False
        taken.add(name)
    return all(p.name in taken for p in overload.params if p.required)


def _all_ints(kinds: Sequence[str]) -> bool:
    return all(k in ("int", "unknown") for k in kinds)


def select(
    overloads: Sequence[Overload] | None, positional_kinds: Sequence[str], keyword_kinds: Mapping[str, str]
) -> Overload | None:
    """The overload that torch would take for arguments of these kinds.

    Kinds are those of `Param.kind` and "none" and "unknown" (which fits everything). For a method the first positional
    kind is that of self. None where nothing fits.
    """
    if not overloads:
        return None
    # A 0-dim tensor passes for a number, but only where no overload wants a tensor there.
    for tensor_as_number in (False, True):
        for overload in overloads:
            if _accepts(overload, positional_kinds, keyword_kinds, tensor_as_number):
                return overload
    return None
