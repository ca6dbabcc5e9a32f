"""Tracebacks as people paste them: other versions, notebooks, ranks, colours, test runners. Kind, frames and details are read."""

from __future__ import annotations

import pytest

from autograd_hazards.explain.traceback import read
from autograd_hazards.explain.traceback_meaning import MEANINGS
from autograd_hazards.trace.kinds import PATTERNS, details_of, kind_of

WORDINGS: list[tuple[str, str]] = [
    # (kind, a message as some version of torch words it)
    ("version", "one of the variables needed for gradient computation has been modified by an inplace operation"),
    (
        "version",
        (
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            "[torch.cuda.FloatTensor [4, 512, 16, 16]], which is output 0 of ConstantPadNdBackward, is at version 3; "
            "expected version 2 instead. Hint: enable anomaly detection to find the operation that failed to compute its "
            "gradient, with torch.autograd.set_detect_anomaly(True)."
        ),
    ),
    (
        "freed",
        (
            "Trying to backward through the graph a second time, but the buffers have already been freed. Specify "
            "retain_graph=True when calling backward the first time."
        ),
    ),
    (
        "freed",
        (
            "Trying to backward through the graph a second time, but the saved intermediate results have already been "
            "freed. Specify retain_graph=True when calling .backward() or autograd.grad() the first time."
        ),
    ),
    ("freed", "Trying to backward through the graph second time, but the buffers have already been freed."),
    ("leaf", "a leaf Variable that requires grad has been used in an in-place operation."),
    ("leaf", "a leaf Variable that requires grad is being used in an in-place operation."),
    ("leaf", "leaf variable has been moved into the graph interior"),
    ("view", "a view of a leaf Variable that requires grad is being used in an in-place operation."),
    (
        "multiview",
        (
            "Output 0 of UnbindBackward0 is a view and is being modified inplace. This view is the output of a function "
            "that returns multiple views. Such functions do not allow the output views to be modified inplace."
        ),
    ),
    ("no_grad_view", "A view was created in no_grad mode and is being modified inplace with grad mode enabled."),
    ("custom_view", "Output 0 of BackwardHookFunctionBackward is a view and is being modified inplace."),
    ("inference_view", "A view was created in inference mode and is being modified inplace in normal mode."),
    ("inference", "Inference tensors cannot be saved for backward. To work around you can make a clone."),
    ("no_grad_graph", "element 0 of tensors does not require grad and does not have a grad_fn"),
    ("no_grad_graph", "element 0 of variables does not require grad and does not have a grad_fn"),
    ("no_grad_graph", "element 0 of variables tuple is volatile; does not require grad and does not have a grad_fn"),
    ("wrt", "One of the differentiated Tensors does not require grad"),
    ("unused", "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True."),
    ("unused", "The differentiated Tensor at index 0 appears to not have been used in the graph."),
    ("non_scalar", "grad can be implicitly created only for scalar outputs"),
    ("non_scalar", "grad can be implicitly created only for real scalar outputs but got torch.complex64"),
    ("numpy", "Can't call numpy() on Variable that requires grad. Use var.detach().numpy() instead."),
    ("numpy", "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."),
    ("non_leaf_optimized", "can't optimize a non-leaf Tensor"),
    ("non_leaf_optimized", "can't optimize a non-leaf Variable"),
    ("gradient_count", "function MyAddBackward returned an incorrect number of gradients (expected 2, got 1)"),
    ("gradient_shape", "Function MyAddBackward returned an invalid gradient at index 0 - got [3] but expected [2]"),
    (
        "overlap",
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location.",
    ),
    ("unscaled_twice", "unscale_() has already been called on this optimizer since the last update()."),
    ("scaler_stepped_twice", "step() has already been called since the last update()."),
    ("no_inf_checks", "No inf checks were recorded for this optimizer."),
    ("ddp_unused", "Expected to have finished reduction in the prior iteration before starting a new one."),
    ("ddp_twice", "Expected to mark a variable ready only once. This error is caused by one of the following reasons"),
    ("hook", "cannot register a hook on a tensor that doesn't require gradient"),
    ("hook", "Backward hook returned an invalid number of grad_input, got 2, but expected 1"),
    ("hook", "Cannot set Module backward hook for a Module with no input Tensors."),
    ("deepcopied_graph", "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not"),
    ("not_implemented", "derivative for aten::_flash_attention_backward is not implemented"),
    ("retain_grad", "can't retain_grad on Tensor that has requires_grad=False"),
    (
        "deepcopy",
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment",
    ),
    ("detach_view", "Can't detach views in-place. Use detach() instead."),
    ("flag_of_non_leaf", "you can only change requires_grad flags of leaf variables."),
    ("integer_grad", "Only Tensors of floating point and complex dtype can require gradients"),
    (
        "negative_slope",
        "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported.",
    ),
    (
        "checkpoint",
        "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.",
    ),
    ("anomaly_nan", "Function 'SqrtBackward0' returned nan values in its 0th output."),
]


@pytest.mark.parametrize(("kind", "message"), WORDINGS)
def test_wording(kind: str, message: str) -> None:
    assert kind_of(message) == kind
    assert (
        read(f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nRuntimeError: {message}\n').kind
        == kind
    )


def test_other_errors_are_none_of_ours() -> None:
    for message in ("CUDA out of memory.", "mat1 and mat2 shapes cannot be multiplied", "list index out of range"):
        assert kind_of(message) is None
        assert read(f"Traceback (most recent call last):\nRuntimeError: {message}").kind is None
    assert read("").kind is None


def test_every_kind_has_a_meaning() -> None:
    assert {kind for kind, _ in PATTERNS} == set(MEANINGS)


def test_details() -> None:
    message = (
        "modified by an inplace operation: [torch.FloatTensor [16, 8]], which is output 0 of AsStridedBackward0, is at "
        "version 2; expected version 1 instead."
    )
    assert details_of(message) == {
        "type": "torch.FloatTensor", "shape": [16, 8], "op": "AsStridedBackward0", "output": 0, "version": 2, "expected": 1,
    }  # fmt: skip
    bare = details_of(
        "modified by an inplace operation: [torch.DoubleTensor []] is at version 5; expected version 4 instead"
    )
    assert bare["shape"] == [] and bare["version"] == 5 and "op" not in bare


VERSION = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor [3]], which is output 0 of SigmoidBackward0, is at version 1; expected version 0 instead."
)
PLAIN = f"""Traceback (most recent call last):
  File "/home/me/train.py", line 40, in <module>
    main()
  File "/home/me/train.py", line 31, in main
    loss.backward()
  File "/usr/lib/python3/site-packages/torch/_tensor.py", line 492, in backward
    torch.autograd.backward(
{VERSION}
"""
IPYTHON_8 = f"""---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
Cell In[3], line 12
     10 h = torch.sigmoid(x)
     11 h *= 2
---> 12 h.sum().backward()

File ~/env/lib/python3.11/site-packages/torch/_tensor.py:492, in Tensor.backward(self, gradient)
    482     return handle_torch_function(
--> 492 torch.autograd.backward(

{VERSION}
"""
IPYTHON_7 = f"""---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
<ipython-input-5-0b1c2d3e4f5a> in train(model, x)
     10     h = torch.sigmoid(x)
---> 11     h.sum().backward()
     12

/usr/local/lib/python3.7/dist-packages/torch/tensor.py in backward(self, gradient)
    105         \"\"\"
--> 107         torch.autograd.backward(self, gradient)

{VERSION}
"""
PYTEST = f"""    def test_step():
>       step(model)

tests/test_train.py:14:
_ _ _ _ _ _ _ _ _ _ _ _ _
train.py:31: in step
    loss.backward()
E       {VERSION}

/usr/lib/python3/site-packages/torch/autograd/graph.py:768: RuntimeError
"""


def _prefixed(prefix: str) -> str:
    return "".join(f"{prefix}{line}\n" for line in PLAIN.splitlines())


COLOURED = PLAIN.replace('"/home/me/train.py"', '\x1b[35m"/home/me/train.py"\x1b[0m').replace(
    "RuntimeError", "\x1b[1;35mRuntimeError\x1b[0m"
)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        COLOURED,
        PLAIN.replace("\n", "\r\n"),
        _prefixed("[rank0]: "),
        _prefixed("[rank1]:[rank1]: "),
        _prefixed("[1,0]<stderr>:"),
        _prefixed("(train_fn pid=4711) "),
        _prefixed("2024-05-01 12:00:03,120 ERROR "),
        "Epoch 1\n" + PLAIN + "\nerror: command failed\n",
        "ValueError: no\n\nDuring handling of the above exception, another exception occurred:\n\n" + PLAIN,
        PLAIN.replace(" by an inplace", "\n by an inplace"),
    ],
    ids=["plain", "colours", "crlf", "rank", "ranks", "mpi", "ray", "log", "around", "chained", "wrapped"],
)
def test_forms_of_python(text: str) -> None:
    found = read(text)
    assert found.kind == "version"
    assert [(frame.file, frame.row) for frame in found.frames[:2]] == [
        ("/home/me/train.py", 40),
        ("/home/me/train.py", 31),
    ]
    assert found.frames[1].function == "main"
    assert found.frames[1].code == "loss.backward()"
    assert found.details["version"] == 1 and found.details["expected"] == 0 and found.details["shape"] == [3]


def test_notebooks() -> None:
    new = read(IPYTHON_8)
    assert new.kind == "version"
    assert (new.frames[0].file, new.frames[0].row, new.frames[0].code) == ("Cell In[3]", 12, "h.sum().backward()")
    assert new.frames[1].file.endswith("_tensor.py") and new.frames[1].row == 492
    old = read(IPYTHON_7)
    assert (old.frames[0].row, old.frames[0].function, old.frames[0].code) == (11, "train", "h.sum().backward()")
    assert old.frames[1].row == 107


def test_pytest() -> None:
    found = read(PYTEST)
    assert found.kind == "version"
    assert ("train.py", 31) in [(frame.file, frame.row) for frame in found.frames]


RICH = """╭──────────── Traceback (most recent call last) ────────────╮
│ /home/me/train.py:31 in main                              │
│                                                           │
│   30     h *= 2                                           │
│ ❱ 31     loss.backward()                                  │
│   32                                                      │
│                                                           │
│ /x/lib/python3.11/site-packages/torch/_tensor.py:492 in   │
╰───────────────────────────────────────────────────────────╯
RuntimeError: one of the variables needed for gradient computation has been modified by an
inplace operation: [torch.FloatTensor [3]], which is output 0 of SigmoidBackward0, is at version 1;
expected version 0 instead.
"""


def test_rich() -> None:
    found = read(RICH)
    assert found.kind == "version" and found.details["version"] == 1
    (frame,) = found.frames
    assert (frame.file, frame.row, frame.function, frame.code) == ("/home/me/train.py", 31, "main", "loss.backward()")


def test_colab() -> None:
    found = read(
        "RuntimeError                              Traceback (most recent call last)\n\n"
        "<ipython-input-12-0a1b2c3d4e5f> in <cell line: 3>()\n      1 for p in net.parameters():\n"
        "----> 3     p += 1\n\n"
        "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."
    )
    assert found.kind == "leaf" and (found.frames[-1].row, found.frames[-1].code) == (3, "p += 1")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("version", "one of the variables needed for gradient computation has been modified by an inpl"),
        ("version", "one of the variables needed for gradient computation has bee..."),
        ("freed", "Trying to backward through the gr"),
        ("leaf", "a leaf Variable that requires grad is be"),
        (None, "element 0"),
        (None, "a leaf"),
    ],
)
def test_messages_that_were_cut_off(kind: str | None, message: str) -> None:
    assert (
        read(f'Traceback (most recent call last):\n  File "a.py", line 1, in f\nRuntimeError: {message}').kind == kind
    )


def test_the_whole_message_counts_more_than_a_summary() -> None:
    found = read(
        PLAIN + "FAILED a.py::test - RuntimeError: one of the variables needed for gradient computation has bee..."
    )
    assert found.details["version"] == 1 and found.frames[1].row == 31


def test_messages_in_pieces() -> None:
    found = read(
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation:\n"
        "```\n```\n[torch.FloatTensor [5, 6]], which is output 0 of TBackward, is at version 2; expected version 1 instead."
    )
    assert found.details["shape"] == [5, 6] and found.details["version"] == 2


def test_anomaly_detection() -> None:
    text = (
        "/x/torch/autograd/graph.py:768: UserWarning: Error detected in SigmoidBackward0. Traceback of forward call that "
        'caused the error:\n  File "/home/me/train.py", line 40, in <module>\n    main()\n  File "/home/me/model.py", line 7, '
        "in forward\n    h = torch.sigmoid(x)\n (Triggered internally at /pytorch/torch/csrc/autograd/python_anomaly.cpp:122.)\n"
        "  return Variable._execution_engine.run_backward(\n" + PLAIN
    )
    found = read(text)
    assert found.op == "SigmoidBackward0"
    assert [(frame.file, frame.row) for frame in found.forward] == [("/home/me/train.py", 40), ("/home/me/model.py", 7)]
    assert [frame.row for frame in found.frames[:2]] == [40, 31]
