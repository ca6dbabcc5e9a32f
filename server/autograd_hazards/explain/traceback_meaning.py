"""What each kind of error means, and what to look for when the program is not at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..messages import Text, say


@dataclass(frozen=True, slots=True)
class Meaning:
    """``says`` is what the error means, ``look`` what to look for, ``rule`` the rule whose page tells more."""

    says: Text
    look: Text
    rule: str


_CHANGED = say(
    "An op saved this tensor for its backward, and the tensor was changed in place before that backward ran: its version counter has moved since."
)
_LOOK_CHANGED = say(
    "Look, between the forward and the failing backward, for `+=`, methods that end in `_`, indexed assignments, `inplace=True` layers and optimizer steps "
    "that touch a tensor of this shape; set_detect_anomaly(True) shows the op that saved it."
)
_CUSTOM = say("A custom autograd Function's backward does not give what torch expects.")
_SCALER = say("A GradScaler was used out of order: each iteration is scale, backward, unscale_ (once), step, update.")
_LOOK_SCALER = say(
    "Look for a path that calls unscale_ or step twice, or leaves out update, for instance in an accumulation loop."
)
_VIEWS = say("A view that torch cannot give a new history, one of several made by one op, was changed in place.")
_CHECKPOINT = say("A checkpointed part of the network behaved otherwise when it was computed again for the backward.")
_DDP = say(
    "DistributedDataParallel waited for gradients of parameters that took no part in the loss, or got one twice."
)
_LOOK_DDP = say(
    "Look for layers that a forward leaves out, outputs that the loss does not use, and reentrant checkpoints; "
    "find_unused_parameters=True helps with the first two."
)
MEANINGS: Mapping[str, Meaning] = {
    "version": Meaning(_CHANGED, _LOOK_CHANGED, "AGH301"),
    "freed": Meaning(
        say("A backward went through a part of a graph whose saved tensors an earlier backward had already freed."),
        say(
            "Look for two losses that share a forward, a state that is carried from one iteration to the next without "
            "detach(), and values computed once before the loop."
        ),
        "AGH101",
    ),
    "leaf": Meaning(
        say("A leaf that requires grad, such as a parameter, was changed in place while gradients were on."),
        say("Look for `+=`, indexed assignments and methods that end in `_` on a parameter; put them under torch.no_grad()."),
        "AGH302",
    ),
    "view": Meaning(
        say("A view (a slice, a row) of a leaf that requires grad was changed in place while gradients were on."),
        say("Look for assignments to a slice of a parameter; put them under torch.no_grad()."),
        "AGH303",
    ),
    "multiview": Meaning(
        _VIEWS,
        say("Look for in-place changes of what chunk, split, unbind or iterating over a tensor gave; clone it first."),
        "AGH303",
    ),
    "custom_view": Meaning(
        say("The output of a custom Function or of a module with backward hooks was changed in place."),
        say("Look for register_full_backward_hook, and for `inplace=True` in the layer behind it."),
        "AGH303",
    ),
    "module_hook": Meaning(
        say("The output of a custom Function or of a module with backward hooks was changed in place."),
        say("Look for register_full_backward_hook, and for `inplace=True` in the layer behind it."),
        "AGH303",
    ),
    "no_grad_view": Meaning(
        say("A view that was made under no_grad was changed in place with gradients on."),
        say("Look for a slice or an iteration made under no_grad and written to outside of it; make both in the same mode."),
        "AGH303",
    ),
    "inference_view": Meaning(
        say("A view that was made in inference mode, or what it is a view of, was changed in place outside of it."),
        say("Look for a slice or an iteration made in inference mode; make the view and the change in the same mode."),
        "AGH303",
    ),
    "inference": Meaning(
        say("A tensor that was made in inference mode was used where gradients are needed."),
        say("Look for inference_mode around a part of the network that is trained; use no_grad there, or clone the tensor outside."),
        "AGH407",
    ),
    "no_grad_graph": Meaning(
        say("The tensor that backward was called on has no graph: nothing it was computed from requires grad, or the graph was cut."),
        say(
            "Look for no_grad, detach(), .data, .item(), torch.tensor(...) and argmax between the parameters and the "
            "loss, and for parameters that are frozen."
        ),
        "AGH407",
    ),
    "wrt": Meaning(
        say("A gradient was asked for with respect to a tensor that does not require grad."),
        say("Look at the inputs of autograd.grad; call requires_grad_() on them before the forward."),
        "AGH407",
    ),
    "unused": Meaning(
        say("A gradient was asked for with respect to a tensor that the result was not computed from."),
        say("Look for a new value that was computed and then not used, and for copies made before the forward."),
        "AGH405",
    ),
    "non_scalar": Meaning(
        say("backward was called on a tensor with more than one element."),
        say("Look for a loss with reduction='none', or one that was not averaged; call .mean() or .sum()."),
        "AGH409",
    ),
    "numpy": Meaning(
        say("numpy() was called on a tensor that requires grad."),
        say("Write .detach().cpu().numpy()."),
        "AGH404",
    ),
    "non_leaf_optimized": Meaning(
        say("An optimizer was given a tensor that is computed from others and is no leaf, or one that does not require grad."),
        say("Look for .to(...), arithmetic or a view behind requires_grad=True or nn.Parameter(...); call requires_grad_() last."),
        "AGH408",
    ),
    "empty_optimizer": Meaning(
        say("The optimizer was given no parameters."),
        say("Look for a parameters() iterator that was used up, for layers in a plain list or dict, and for a filter that leaves nothing."),
        "AGH604",
    ),
    "gradient_count": Meaning(
        _CUSTOM,
        say("Return one gradient (or None) for each input of forward."),
        "AGH501",
    ),
    "gradient_shape": Meaning(
        _CUSTOM,
        say("Give each gradient the shape of its input: sum over what was broadcast."),
        "AGH501",
    ),
    "not_implemented": Meaning(
        say("The op has no derivative, or none of second order."),
        say("Look for a custom Function whose backward is differentiated again (once_differentiable), or replace the op."),
        "AGH501",
    ),
    "overlap": Meaning(
        say("A tensor whose elements share memory (after expand, or a tensor and its own transpose) was written to in place."),
        say("Look for expand, expand_as and `x += x.T`; clone first."),
        "AGH306",
    ),
    "out_argument": Meaning(
        say("An op was told to write its result into a tensor with out=, which torch cannot differentiate."),
        say("Leave out= away where gradients are on: assign the result instead."),
        "AGH301",
    ),
    "negative_slope": Meaning(
        say("An in-place activation with a negative slope cannot be differentiated, since the sign of its input is lost."),
        say("Look for LeakyReLU or RReLU with a negative slope and inplace=True."),
        "AGH304",
    ),
    "unscaled_twice": Meaning(_SCALER, _LOOK_SCALER, "AGH204"),
    "scaler_stepped_twice": Meaning(_SCALER, _LOOK_SCALER, "AGH204"),
    "unscale_after_step": Meaning(_SCALER, _LOOK_SCALER, "AGH204"),
    "no_inf_checks": Meaning(
        say("GradScaler.step found no gradients at all: no parameter of this optimizer has one."),
        say("Look for a loss that does not reach this optimizer's parameters, and for zero_grad between backward and step."),
        "AGH204",
    ),
    "ddp_unused": Meaning(_DDP, _LOOK_DDP, "AGH502"),
    "ddp_twice": Meaning(_DDP, _LOOK_DDP, "AGH502"),
    "hook": Meaning(
        say("A hook was put on a tensor that gets no gradient, or a hook changed the gradient's size or type."),
        say("Look at register_hook: the tensor must require grad, and the hook must return a gradient of the same shape."),
        "AGH502",
    ),
    "retain_grad": Meaning(
        say("retain_grad() was called on a tensor that does not require grad."),
        say("Look for no_grad or detach() before it."),
        "AGH408",
    ),
    "non_leaf_grad": Meaning(
        say("The .grad of a tensor that is no leaf was read: it stays None."),
        say("Look for .to(...), arithmetic or a view behind requires_grad=True; make the leaf last, or call retain_grad()."),
        "AGH408",
    ),
    "deepcopy": Meaning(
        say("deepcopy met a tensor with a graph, which cannot be copied."),
        say("Look for an attribute of the module that holds a result of its forward; store .detach() of it."),
        "AGH103",
    ),
    "detach_view": Meaning(
        say("detach_() was called on a view."),
        say("Write x = x.detach() instead."),
        "AGH303",
    ),
    "flag_of_non_leaf": Meaning(
        say("requires_grad was set on a tensor that is no leaf."),
        say("Look at where the tensor is computed; use detach() to cut it off."),
        "AGH408",
    ),
    "integer_grad": Meaning(
        say("Only floating point tensors can require grad."),
        say("Look for a cast to an integer type, or for integer data; convert with .float()."),
        "AGH405",
    ),
    "checkpoint": Meaning(
        _CHECKPOINT,
        say("Look for randomness, global state, in-place changes of the inputs and for autocast that differs between the two runs."),
        "AGH502",
    ),
    "checkpoint_inputs": Meaning(
        say("No input of a reentrant checkpoint requires grad, so the parameters inside get no gradient."),
        say("Pass use_reentrant=False."),
        "AGH502",
    ),
    "scheduler_first": Meaning(
        say("The scheduler stepped before the optimizer, so the first value of the schedule was skipped."),
        say("Call optimizer.step() before scheduler.step()."),
        "AGH205",
    ),
    "anomaly_nan": Meaning(
        say("Anomaly detection found a NaN in a gradient."),
        say("Look at the op that it names: a division by zero, the logarithm or square root of zero, or an overflow in half precision."),
        "AGH701",
    ),
    "deepcopied_graph": Meaning(
        say("A tensor with a graph cannot be sent to another process."),
        say("Send .detach() of it."),
        "AGH104",
    ),
    "grad_shape": Meaning(
        say("A .grad of the wrong size or type was assigned."),
        say("Look at the assignment: it must have the shape, dtype and device of the parameter."),
        "AGH607",
    ),
}  # fmt: skip
UNKNOWN = say("This text holds no error of torch's autograd that is known here.")
