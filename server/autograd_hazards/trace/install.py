"""Switches a recording on and off: the mode, the engine, and the few functions of torch that it has to stand behind."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import _get_current_function_mode_stack

from . import expected, graph, tracebacks, warned
from .backward import Engine
from .mode import Watch
from .recorder import Recorder


class Recording:
    """One recording from ``start`` to ``stop``."""

    def __init__(self, sample: int = 1) -> None:
        self.recorder = Recorder()
        self.recorder.ledger.sample = sample
        self.folder = os.getcwd()
        self.mode = Watch(self.recorder)
        self._undo: list[Callable[[], None]] = []

    def start(self) -> None:
        recorder = self.recorder
        recorder.inside = lambda mode: mode in _get_current_function_mode_stack()
        variable: Any = torch.autograd.Variable
        engine = variable._execution_engine
        watched = Engine(engine, recorder, self.mode)
        recorder.calls = watched.calls
        variable._execution_engine = watched
        self._undo.append(lambda: setattr(variable, "_execution_engine", engine))
        self._stand_behind_hooks()
        self._stand_behind_modules()
        self._stand_behind_functions()
        self._stand_behind_threads()
        self._stand_behind_switches()
        self._stand_behind_compilers()
        for watching in (warned, tracebacks, expected):
            watching.install(self._replace)
        recorder.ledger.attach(self._replace)
        os.register_at_fork(after_in_child=self._forked)
        self.mode.__enter__()
        self._undo.append(lambda: self.mode.__exit__(None, None, None))

    def stop(self) -> None:
        if self.recorder.stopped:
            return
        self.recorder.stopped = self.recorder.paused = True
        self.recorder.safely(self.recorder.ended)
        while self._undo:
            self._undo.pop()()
        while self.recorder.undo:
            self.recorder.undo.pop()()

    def uncaught(self, error: BaseException) -> None:
        """The program ends with an exception."""
        self.recorder.safely(self.recorder.uncaught, error)

    def _forked(self) -> None:
        # A worker of a DataLoader or another child: what it does is not part of this recording.
        self.recorder.paused = True
        self.recorder.child = True

    def _replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Put ``make(original)`` in the place of an attribute until the recording stops."""
        inherited = name not in owner.__dict__
        bases = owner.__mro__ if isinstance(owner, type) else (owner,)
        original = next(base.__dict__[name] for base in bases if name in base.__dict__)
        setattr(owner, name, make(original))
        self._undo.append((lambda: delattr(owner, name)) if inherited else (lambda: setattr(owner, name, original)))

    def _stand_behind_hooks(self) -> None:
        """While hooks of the program pack saved tensors, reading those would call the hooks."""
        recorder = self.recorder

        def entering(original: Any) -> Any:
            @functools.wraps(original)
            def enter(self: Any) -> Any:
                result = original(self)
                recorder.packing += 1
                recorder.checkpoints += type(self).__name__ == "_checkpoint_hook"
                return result

            return enter

        def leaving(original: Any) -> Any:
            @functools.wraps(original)
            def leave(self: Any, *args: object) -> Any:
                recorder.packing -= 1
                recorder.checkpoints -= type(self).__name__ == "_checkpoint_hook"
                return original(self, *args)

            return leave

        hooks = torch.autograd.graph.saved_tensors_hooks
        self._replace(hooks, "__enter__", entering)
        self._replace(hooks, "__exit__", leaving)

    def _stand_behind_modules(self) -> None:
        """Remember where each module was made."""
        recorder = self.recorder

        def making(original: Any) -> Any:
            @functools.wraps(original)
            def init(self: Any, *args: Any, **kwargs: Any) -> None:
                original(self, *args, **kwargs)
                if not recorder.paused:
                    recorder.modules[self] = recorder.frames.here()[0]

            return init

        self._replace(torch.nn.Module, "__init__", making)

        def new_parameter(original: Any) -> Any:
            new = getattr(original, "__func__", original)

            @functools.wraps(new)
            def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
                made = new(cls, *args, **kwargs)
                if not recorder.paused and made.requires_grad and made.is_leaf:
                    recorder.safely(recorder.leaf_made, made)
                return made

            return staticmethod(__new__)

        self._replace(torch.nn.Parameter, "__new__", new_parameter)

    def _stand_behind_functions(self) -> None:
        """Results of custom Functions do not pass the mode."""
        recorder = self.recorder

        def checkpoint(function: Any, args: Any, kwargs: Any) -> Any:
            """A reentrant checkpoint: what it gives comes from where it switches gradients off, or has one node."""
            recorder.cuts.last = None
            outer, recorder.collected = recorder.collected, {}
            try:
                result = function(*args, **kwargs)
            finally:
                used, recorder.collected = recorder.collected or {}, outer
            if not recorder.paused:
                recorder.safely(recorder.cuts.carry, result)
                recorder.safely(recorder.computed, "CheckpointFunction", result, args)
                first = result[0] if isinstance(result, tuple) else result
                if isinstance(first, torch.Tensor) and (fn := graph.fn_of(first)) is not None:
                    node = recorder.graphs.known(fn)
                    if node is not None:
                        recorder.safely(recorder.recompute, node, list(used.values()))
            return result

        def applying(original: Any) -> Any:
            # Written in Python up to torch 2.13, in C from then on: a descriptor either way.
            @functools.wraps(getattr(original, "__func__", original))
            def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
                if cls.__name__ == "CheckpointFunction":
                    return checkpoint(original.__get__(None, cls), args, kwargs)
                result = original.__get__(None, cls)(*args, **kwargs)
                if not recorder.paused and isinstance(result, (torch.Tensor, tuple)):
                    recorder.safely(recorder.computed, cls.__name__, result, args)
                return result

            return classmethod(apply)

        self._replace(torch.autograd.Function, "apply", applying)

    def _stand_behind_threads(self) -> None:
        """Modes are a thread's own: switch it on in threads that the program starts."""
        mode = self.mode

        def bootstrapping(original: Any) -> Any:
            @functools.wraps(original)
            def bootstrap(self: threading.Thread) -> None:
                with mode:
                    original(self)

            return bootstrap

        if "_bootstrap_inner" in threading.Thread.__dict__:
            self._replace(threading.Thread, "_bootstrap_inner", bootstrapping)

    def _stand_behind_switches(self) -> None:
        """Remember where inference mode and anomaly detection are switched on."""
        recorder = self.recorder

        def inferring(original: Any) -> Any:
            @functools.wraps(original)
            def enter(self: Any) -> Any:
                recorder.cuts.inference = recorder.frames.entered()[0]
                return original(self)

            return enter

        def detecting(original: Any) -> Any:
            @functools.wraps(original)
            def init(self: Any, *args: Any, **kwargs: Any) -> None:
                original(self, *args, **kwargs)
                if torch.is_anomaly_enabled():
                    recorder.anomaly = recorder.frames.here()[0]

            return init

        self._stand_behind_schedules()
        self._replace(torch.inference_mode, "__enter__", inferring)
        self._replace(torch.autograd.set_detect_anomaly, "__init__", detecting)

    def _stand_behind_schedules(self) -> None:
        """Schedulers that step before their optimizer has, and clipping that finds nothing to clip."""
        recorder = self.recorder

        def scheduling(original: Any) -> Any:
            @functools.wraps(original)
            def step(self: Any, *args: Any, **kwargs: Any) -> Any:
                if not recorder.paused and getattr(self, "_step_count", 0) >= 1:
                    recorder.safely(recorder.ledger.scheduled, self.optimizer)
                return original(self, *args, **kwargs)

            return step

        def clipping(original: Any) -> Any:
            @functools.wraps(original)
            def clip(parameters: Any, *args: Any, **kwargs: Any) -> Any:
                if isinstance(parameters, torch.Tensor):
                    parameters = [parameters]
                elif not isinstance(parameters, (list, tuple)):
                    parameters = list(parameters)
                if not recorder.paused:
                    recorder.safely(recorder.ledger.clipped, parameters)
                return original(parameters, *args, **kwargs)

            return clip

        scheduler = getattr(torch.optim.lr_scheduler, "LRScheduler", torch.optim.lr_scheduler._LRScheduler)
        self._replace(scheduler, "step", scheduling)
        for name in ("clip_grad_norm_", "clip_grad_value_"):
            self._replace(torch.nn.utils, name, clipping)
            self._replace(torch.nn.utils.clip_grad, name, clipping)

    def _stand_behind_compilers(self) -> None:
        """A compiler would trace into the mode: compiled code runs without it, and is seen from outside only."""
        recorder = self.recorder

        def compiling(original: Any) -> Any:
            @functools.wraps(original)
            def compile_(*args: Any, **kwargs: Any) -> Any:
                compiled = original(*args, **kwargs)
                if (args and args[0] is None) or (not args and kwargs.get("model") is None):
                    return compiled  # a decorator, which comes here again
                recorder.compiled = True
                recorder.unwatched.add("the inside of compiled functions")
                if isinstance(compiled, torch.nn.Module):
                    object.__setattr__(compiled, "forward", self._outside(compiled.forward))
                    return compiled
                return self._outside(compiled)

            return compile_

        self._replace(torch, "compile", compiling)

    def _outside(self, function: Any) -> Any:
        recorder = self.recorder

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with self.mode.left():
                result = function(*args, **kwargs)
            if not recorder.paused and isinstance(result, (torch.Tensor, tuple, list)):
                recorder.safely(recorder.computed, "compiled", result, args)
            return result

        return call
