"""Gradients at the scale of a ``GradScaler``: clipped or applied before they are unscaled."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch

from . import graph

if TYPE_CHECKING:
    from .graph import Leaf
    from .recorder import Recorder


class Scaling:
    """Which gradients carry a loss scale."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.stepping = False  # a scaler is at work: it unscales what it has to
        self.known = False  # the program asks for the scale, so it may take it into account itself

    def attach(self, replace: Callable[[Any, str, Callable[[Any], Any]], None]) -> None:
        """Stand behind the methods of scalers."""
        scaling, recorder = self, self.recorder

        def scale(original: Any) -> Any:
            @functools.wraps(original)
            def scale(self: Any, outputs: Any) -> Any:
                scaled = original(self, outputs)
                if (
                    scaled is not outputs and not recorder.paused
                ):  # a scaler that is switched off gives back what it gets
                    recorder.safely(scaling._scaled, scaled)
                return scaled

            return scale

        def unscale_(original: Any) -> Any:
            @functools.wraps(original)
            def unscale_(self: Any, optimizer: Any) -> Any:
                result = original(self, optimizer)
                recorder.safely(scaling._unscaled, optimizer)
                return result

            return unscale_

        def step(original: Any) -> Any:
            @functools.wraps(original)
            def step(self: Any, *args: Any, **kwargs: Any) -> Any:
                was, scaling.stepping = scaling.stepping, True
                try:
                    return original(self, *args, **kwargs)
                finally:
                    scaling.stepping = was

            return step

        def get_scale(original: Any) -> Any:
            @functools.wraps(original)
            def get_scale(self: Any) -> Any:
                scaling.known = True
                return original(self)

            return get_scale

        scaler = getattr(torch.amp, "GradScaler", None) or torch.cuda.amp.GradScaler
        for method in (scale, unscale_, step, get_scale):
            replace(scaler, method.__name__, method)

    def _scaled(self, outputs: Any) -> None:
        for tensor in graph.tensors_in((outputs,)):
            fn = graph.fn_of(tensor)
            node = self.recorder.graphs.known(fn) if fn is not None else None
            if node is not None:
                node.scaled = True

    def _unscaled(self, optimizer: Any) -> None:
        for tensor in self.recorder.ledger.owner(optimizer).parameters():
            leaf = self.recorder.ledger.leaf(tensor)
            for contribution in leaf.grads if leaf is not None else ():
                contribution.unscaled = True

    def clipped(self, leaves: Iterable[Leaf]) -> None:
        """Gradients are clipped: at their true scale?"""
        backward = self._still_scaled(leaves)
        if backward is not None:
            events = self.recorder.events
            chain, _ = self.recorder.frames.here()
            events.add("clip_scaled", chain, chain, backward=events.places(backward.chain))

    def applied(self, leaves: Iterable[Leaf]) -> None:
        """An optimizer steps, by itself or for a scaler."""
        if not self.stepping and self._still_scaled(leaves) is not None:
            chain, _ = self.recorder.frames.here()
            self.recorder.events.add("step_scaled", chain, chain)

    def _still_scaled(self, leaves: Iterable[Leaf]) -> Any:
        """A backward whose gradients have not been used yet and carry the scale; None also where the program may know."""
        if self.known:
            return None
        for leaf in leaves:
            for contribution in leaf.grads:
                backward = contribution.backward
                if backward.scaled and not contribution.unscaled and not backward.consumed:
                    return backward
        return None
