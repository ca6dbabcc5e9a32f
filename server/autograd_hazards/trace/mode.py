"""Sees every call of torch that the program makes, from above autograd, and hands it on unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode, _get_current_function_mode, _len_torch_function_stack

if TYPE_CHECKING:
    from .recorder import Recorder

_tracing = torch._C._get_tracing_state
PASS, COMPUTE, WRITE, CUT, SET, MODE, READ = range(7)
_VIEWS = frozenset({"T", "mT", "H", "mH", "real", "imag", "data"})  # properties that give tensors with a history
_QUIET = frozenset({
    "size", "dim", "numel", "stride", "storage_offset", "data_ptr", "is_contiguous", "element_size", "ndimension", "nelement", "untyped_storage", "storage",
    "is_floating_point", "is_complex", "is_tensor", "get_device", "type", "__len__", "__repr__", "__hash__", "__format__", "backward",
    "is_inference", "result_type", "can_cast", "is_nonzero", "register_hook", "_record_function_enter_new", "is_same_size", "_is_view", "equal", "allclose",
    "_is_zerotensor", "is_conj", "is_neg", "is_signed", "has_names", "retain_grad", "register_post_accumulate_grad_hook", "__dlpack_device__",
})  # fmt: skip
_CUTS = frozenset({
    "detach", "item", "tolist", "numpy", "__array__", "__float__", "__int__", "__bool__", "__index__", "tensor", "as_tensor", "__dlpack__",
    "_make_subclass", "asarray",
})  # fmt: skip
_ITEM = frozenset({"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__", "__ipow__", "__iand__", "__ior__",
                   "__ixor__", "__idiv__", "__ilshift__", "__irshift__", "set_data"})  # fmt: skip


def sort_of(func: Any) -> tuple[int, str]:
    """What a function of torch does to what is watched, and its name."""
    name: str = getattr(func, "__name__", "") or ""
    if name in ("__get__", "__set__", "__delete__"):
        name = getattr(getattr(func, "__self__", None), "__name__", "")
        if func.__name__ == "__get__":
            if name == "data":
                return CUT, name
            if name == "grad":
                return READ, name
            return (COMPUTE if name in _VIEWS else PASS), name
        return SET, name
    if name in ("_set_grad_enabled", "set_grad_enabled"):
        return MODE, name
    if name in _CUTS:
        return CUT, name
    if name in _QUIET or name.startswith("_record_function"):
        return PASS, name
    if name in _ITEM or (name.endswith("_") and not name.endswith("__")):
        return WRITE, name
    return COMPUTE, name


class Watch(TorchFunctionMode):  # type: ignore[misc, unused-ignore]
    """The mode that a recorder keeps switched on while the program runs."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder
        self.sorts: dict[Any, tuple[int, str]] = {}

    @contextmanager
    def left(self) -> Iterator[None]:
        """Without the mode, where it is the innermost one."""
        if _len_torch_function_stack() and _get_current_function_mode() is self:
            self.__exit__(None, None, None)
            try:
                yield
            finally:
                self.__enter__()
        else:
            yield

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if kwargs is None:
            kwargs = {}
        known = self.sorts.get(func)
        if known is None:
            known = sort_of(func)
            if len(self.sorts) < 10_000:
                self.sorts[func] = known
        sort, name = known
        recorder = self.recorder
        if (
            sort == PASS
            or recorder.paused
            or recorder.busy
            or (sort == READ and recorder.stepping)
            or _tracing() is not None  # whatever is asked of a tensor now becomes a part of the traced program
        ):
            try:
                return func(*args, **kwargs)
            except RuntimeError as error:
                recorder.safely(recorder.raised, error, name, args)
                raise
        if sort == COMPUTE:
            out = kwargs.get("out")
            if out is not None or type(func) is FunctionType:
                # Functions written in Python may write to what they are given (``inplace=True``, running statistics).
                return self._call_python(func, name, args, kwargs, out)
            try:
                result = func(*args, **kwargs)
            except RuntimeError as error:
                recorder.safely(recorder.raised, error, name, args)
                raise
            if isinstance(result, (torch.Tensor, tuple, list)):
                recorder.safely(recorder.computed, name, result, args)
            return result
        return self._call_other(func, sort, name, args, kwargs)

    def _call_python(self, func: Any, name: str, args: Any, kwargs: Any, out: Any) -> Any:
        recorder = self.recorder
        targets = [t for t in (*args, *kwargs.values()) if isinstance(t, torch.Tensor)]
        if isinstance(out, (tuple, list)):
            targets += [t for t in out if isinstance(t, torch.Tensor)]
        before = versions(targets)
        try:
            result = func(*args, **kwargs)
        except RuntimeError as error:
            recorder.safely(recorder.raised, error, name, args)
            raise
        for target, version in zip(targets, before):
            if version is not None and target._version != version:
                recorder.safely(recorder.written, name if name.endswith("_") else name + "_", target, True)
                recorder.safely(recorder.changed, name, (target,), args)
        if isinstance(result, (torch.Tensor, tuple, list)):
            recorder.safely(recorder.computed, name, result, args)
        return result

    def _call_other(self, func: Any, sort: int, name: str, args: Any, kwargs: Any) -> Any:
        recorder = self.recorder
        if sort == WRITE:
            first = args[0] if args else tuple(kwargs.values())  # functions of nn.init hand on names
            targets = first if isinstance(first, (tuple, list)) else (first,)
            targets = [t for t in targets if isinstance(t, torch.Tensor)]
            before = versions(targets)
            try:
                result = func(*args, **kwargs)
            except RuntimeError as error:
                recorder.safely(recorder.raised, error, name, args)
                raise
            fused = name.startswith("_fused_")
            for target, version in zip(targets, before):
                if version is not None:
                    counted = target._version != version
                    if counted or fused:
                        recorder.safely(recorder.written, name, target, counted)
            recorder.safely(recorder.changed, name, targets, args)
            return result
        if sort == SET:
            recorder.safely(recorder.setting, name, args)
        was = torch.is_grad_enabled()
        try:
            result = func(*args, **kwargs)
        except (RuntimeError, TypeError) as error:
            recorder.safely(recorder.raised, error, name, args)
            raise
        if sort == CUT:
            recorder.safely(recorder.cut, name, result, args)
        elif sort == READ:
            recorder.safely(recorder.gradient_read, args[0])
        elif sort == MODE:
            recorder.safely(recorder.switched, was, args)
        return result


def versions(tensors: Any) -> list[Any]:
    """The version of each tensor; None for those that count none (made in inference mode, wrapped by transforms)."""
    found = []
    for tensor in tensors:
        try:
            found.append(tensor._version)
        except RuntimeError:
            found.append(None)
    return found
