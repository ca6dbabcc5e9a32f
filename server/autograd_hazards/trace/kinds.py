"""What torch says when autograd refuses: the kinds of errors, by their wordings from torch 1.0 on.

Used on live exceptions by the recorder and on pasted text by the explainer, so it imports neither torch nor us.
"""

from __future__ import annotations

import re

_WORDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    # The order decides where one message contains another. Alternatives are wordings of different versions.
    ("view", (r"a view of a leaf Variable(?: that requires grad)? is being used in an in-?place operation",)),
    (
        "multiview",
        (
            r"output of a function that returns multiple views",
            r"view(?: was)? (?:is|created) .{0,60}(?:unbind|split|chunk).{0,80}in-?place",
        ),
    ),
    (
        "inference",
        (
            r"Inference tensors cannot be saved for backward",
            r"Inplace update to inference tensor",
            r"Setting requires_grad=True on inference tensor",
            r"Cannot set version_counter for inference tensor",
            r"Inference tensors do not track version counter",
        ),
    ),
    ("inference_view", (r"view was created (?:inside|in) inference",)),
    (
        "no_grad_view",
        (
            r"view was created in (?:the )?no_grad mode",
            r"view created in no_grad mode",
            r"A view was created in no_grad mode",
        ),
    ),
    (
        "custom_view",
        (r"output \d+ of \S+ is a view and is being modified in-?place", r"view was created inside a custom Function"),
    ),
    (
        "leaf",
        (
            r"leaf Variable(?: that requires grad)? (?:is being|has been|was) used in an in-?place operation",
            r"leaf variable has been moved into the graph interior",
            r"leaf variable was used in an inplace operation",
        ),
    ),
    (
        "version",
        (
            r"one of the variables needed for gradient computation has been modified by an in-?place operation",
            r"modified by an in-?place operation",
        ),
    ),
    (
        "freed",
        (
            r"Trying to backward through the graph (?:a )?second time",
            r"buffers have already been freed",
            r"saved (?:variables|intermediate results|tensors)[^.]{0,60}already been freed",
            r"Trying to backward through the graph second time",
            r"CopySlices has already been freed",
        ),
    ),
    (
        "no_grad_graph",
        (
            r"element \d+ of (?:tensors|variables)(?: tuple)? does not require grad",
            r"does not require grad and does not have a grad_fn",
            r"there are no graph nodes that require computing gradients",
        ),
    ),
    (
        "wrt",
        (
            r"(?:One of the differentiated (?:Tensors|Variables)|The differentiated Tensor at index \d+) does not require grad",
        ),
    ),
    (
        "unused",
        (
            r"(?:One of the differentiated (?:Tensors|Variables)|The differentiated Tensor at index \d+) appears to not have been used in the graph",
        ),
    ),
    (
        "non_scalar",
        (
            r"grad can be implicitly created only for (?:real )?scalar outputs",
            r"grad can be created only for real scalar outputs",
            r"backward should be called only on a scalar",
        ),
    ),
    ("numpy", (r"Can'?t call (?:numpy\(\)|\.?__array__\(\)) on (?:Tensor|Variable) that requires grad",)),
    (
        "non_leaf_optimized",
        (
            r"can'?t optimize a non-leaf (?:Tensor|Variable)",
            r"can'?t optimize a parameter that doesn'?t require gradients",
        ),
    ),
    ("empty_optimizer", (r"optimizer got an empty parameter list",)),
    ("gradient_count", (r"returned an incorrect number of gradients",)),
    ("gradient_shape", (r"returned an invalid gradient at index",)),
    (
        "not_implemented",
        (r"derivative for '?\S+?'? is not implemented", r"Trying to differentiate twice a function"),
    ),
    ("overlap", (r"refers? to a single memory location",)),
    ("out_argument", (r"functions with out=\.\.\. arguments don't support automatic differentiation",)),
    ("negative_slope", (r"backward calculation is triggered with a (?:negative|non-positive) slope",)),
    ("unscaled_twice", (r"unscale_\(\) has already been called",)),
    ("scaler_stepped_twice", (r"step\(\) has already been called since the last update",)),
    ("unscale_after_step", (r"unscale_\(\) is being called after step\(\)",)),
    ("no_inf_checks", (r"No inf checks were recorded",)),
    ("ddp_unused", (r"Expected to have finished reduction in the prior iteration",)),
    ("ddp_twice", (r"Expected to mark a variable ready only once",)),
    (
        "hook",
        (
            r"cannot register a hook on a (?:tensor|variable) that doesn'?t require grad",
            r"backward hooks? .{0,60}(?:not supported|should only return)",
            r"hook .{0,40} has changed the (?:size|type) of value",
            r"Backward (?:pre )?hook returned an invalid number of grad_",
            r"Backward hook for Modules where no input requires gradient",
            r"Cannot set Module backward hook for a Module with no input",
            r"Cannot use both regular backward hooks and full backward hooks",
            r"Using (?:a )?non-full backward hooks?",
            r"post accumulate grad hooks? cannot be registered",
        ),
    ),
    (
        "module_hook",
        (r"Output \d+ of BackwardHookFunction\S* is a view and is being modified in-?place", r"BackwardHookFunction"),
    ),
    ("retain_grad", (r"can'?t retain_grad on (?:Tensor|Variable) that has requires_grad=False",)),
    ("non_leaf_grad", (r"\.grad attribute of a Tensor that is not a leaf Tensor is being accessed",)),
    ("deepcopy", (r"Only Tensors created explicitly by the user \(graph leaves\) support the deepcopy protocol",)),
    ("detach_view", (r"Can'?t detach (?:\(in-?place\) )?(?:a )?views? in-?place",)),
    ("flag_of_non_leaf", (r"you can only change requires_grad flags of leaf variables",)),
    ("integer_grad", (r"[Oo]nly Tensors of floating point (?:and complex )?dtype can require gradients",)),
    (
        "checkpoint",
        (
            r"A different number of tensors was saved during the original forward and recomputation",
            r"Recomputed values for the following tensors have different metadata",
            r"Checkpointing is not compatible with \.grad\(\)",
            r"torch\.utils\.checkpoint: ",
        ),
    ),
    ("checkpoint_inputs", (r"None of the inputs have requires_grad=True",)),
    ("scheduler_first", (r"lr_scheduler\.step\(\)`? before `?optimizer\.step\(\)",)),
    ("anomaly_nan", (r"Function '\S+' returned nan values in its \d+\w* output",)),
    ("deepcopied_graph", (r"(?:cannot|refusing to) (?:pickle|serialize) .{0,40}requires_grad",)),
    ("grad_shape", (r"assigned grad has data of a different (?:size|type)",)),
)
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile("|".join(wordings), re.IGNORECASE | re.DOTALL)) for kind, wordings in _WORDINGS
)
# "is output 0 of SigmoidBackward0, is at version 1; expected version 0 instead"
_DETAILS = re.compile(
    r"\[(?P<type>[\w.]+)\s*\[(?P<shape>[\d,\s]*)\]\]"
    r"(?:,? which is output (?P<output>\d+) of (?P<op>[\w:]+),?)?"
    r"(?:\s*,?\s*is at version (?P<version>\d+); expected version (?P<expected>\d+))?",
)

# How the commonest messages begin, for those that were cut off on their way.
_BEGINNINGS = (
    ("version", "one of the variables needed for gradient computation has been modified by an inplace operation"),
    ("freed", "Trying to backward through the graph a second time"),
    ("leaf", "a leaf Variable that requires grad is being used in an in-place operation."),
    ("view", "a view of a leaf Variable that requires grad is being used in an in-place operation."),
    ("no_grad_graph", "element 0 of tensors does not require grad and does not have a grad_fn"),
    ("non_scalar", "grad can be implicitly created only for scalar outputs"),
    ("numpy", "Can't call numpy() on Tensor that requires grad."),
    ("unused", "One of the differentiated Tensors appears to not have been used in the graph."),
    ("ddp_unused", "Expected to have finished reduction in the prior iteration before starting a new one."),
    ("ddp_twice", "Expected to mark a variable ready only once."),
)
_ENOUGH = 20  # letters of a beginning that tell the messages apart


def kind_of_cut(message: str) -> str | None:
    """The kind of an error whose message was cut off in the middle, perhaps with dots; None when it is not known."""
    flat = " ".join(message.split()).rstrip(".… ")
    return next((kind for kind, whole in _BEGINNINGS if len(flat) >= _ENOUGH and whole.startswith(flat)), None)


def kind_of(message: str) -> str | None:
    """The kind of an error by its message (which may hold line breaks); None when it is not one of autograd's."""
    flat = " ".join(message.split())
    for kind, pattern in PATTERNS:
        if pattern.search(flat):
            return kind
    return None


def details_of(message: str) -> dict[str, object]:
    """What a version error tells of the tensor: ``shape``, ``op`` (of its grad_fn), ``version``, ``expected``."""
    flat = " ".join(message.split())
    match = _DETAILS.search(flat)
    if match is None:
        return {}
    found: dict[str, object] = {"type": match["type"]}
    found["shape"] = [int(n) for n in match["shape"].replace(",", " ").split()]
    if match["op"]:
        found["op"] = match["op"]
        found["output"] = int(match["output"])
    if match["version"] is not None:
        found["version"] = int(match["version"])
        found["expected"] = int(match["expected"])
    return found
