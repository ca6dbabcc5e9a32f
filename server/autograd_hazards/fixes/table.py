"""Which kinds of edit each rule offers, preferred first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from autograd_hazards.findings import Fix
from autograd_hazards.fixes import (
    carried,
    detach,
    grad_mode,
    holders,
    layers,
    multiview,
    objects,
    order,
    outofplace,
    reorder,
    retain,
    rootless,
    samples,
    split,
    values,
)
from autograd_hazards.fixes.draft import Problem

Kind = Callable[[Problem], Iterator[Fix]]

KINDS: dict[str, tuple[Kind, ...]] = {
    "AGH101": (
        order.into_function,
        retain.one_backward,
        samples.shared_sample,
        reorder.step_after_both,
        retain.repeated,
        retain.keep,
        retain.said_twice,
    ),
    "AGH102": (retain.drop,),
    "AGH103": (carried.state,),
    "AGH104": (grad_mode.not_trained, detach.kept_graph),
    "AGH105": (values.with_graph,),
    "AGH106": (order.into_function, order.recomputed, order.where_used, detach.target, retain.repeated),
    "AGH201": (
        reorder.step_later,
        split.steps_apart,
        reorder.forward_later,
        samples.not_trained_here,
        reorder.earlier_half,
    ),
    "AGH202": (order.clearing,),
    "AGH203": (order.not_cleared,),
    "AGH204": (order.clipping,),
    "AGH205": (order.scheduler,),
    "AGH206": (
        reorder.step_later,
        split.steps_apart,
        reorder.forward_later,
        samples.not_trained_here,
        reorder.earlier_half,
    ),
    "AGH207": (order.edit_after_step,),
    "AGH301": (
        outofplace.mutation,
        outofplace.clone_at_store,
        outofplace.clone_result,
        reorder.parameter_edit_later,
    ),
    "AGH302": (outofplace.leaf,),
    "AGH303": (
        layers.not_inplace,
        outofplace.leaf_view,
        multiview.one_by_one,
        outofplace.refused,
        outofplace.clone_before,
    ),
    "AGH304": (layers.not_inplace, outofplace.mutation),
    "AGH305": (outofplace.through_data,),
    "AGH306": (outofplace.clone_value, outofplace.refused, outofplace.clone_before),
    "AGH401": (detach.target, grad_mode.target, carried.state, order.into_function),
    "AGH402": (samples.shared_sample, samples.later_sample, samples.passed_through, retain.one_backward, retain.keep),
    "AGH403": (values.broken,),
    "AGH404": (values.to_numpy,),
    "AGH405": (values.broken,),
    "AGH406": (values.broken,),
    "AGH407": (grad_mode.switch, rootless.wanted_leaf, values.broken, rootless.pointless),
    "AGH408": (values.leaf_made_last,),
    "AGH409": (values.reduced,),
    "AGH410": (values.kept_result,),
    "AGH411": (detach.factor, grad_mode.target),
    "AGH501": (objects.all_gradients,),
    "AGH502": (objects.not_reentrant,),
    "AGH601": (holders.registered, holders.made_once),
    "AGH602": (objects.optimizer_after, holders.swapped),
    "AGH603": (holders.given,),
    "AGH604": (objects.listed,),
    "AGH605": (holders.unfrozen,),
    "AGH606": (objects.flag_method,),
    "AGH607": (objects.own_gradient,),
    "AGH608": (holders.right_optimizer,),
    "AGH701": (order.anomaly,),
}
