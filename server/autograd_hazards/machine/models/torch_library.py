"""``torch.library``: ops of the user's own. Their gradient is registered apart from what they compute."""

from __future__ import annotations

from ..core import Call, Machine
from ..values import LibFunction, Unknown, Value
from .registry import function


def _own_op(m: Machine, call: Call) -> Value:
    """A call of the op: a kernel computes what it returns, and what its backward is only the program knows."""
    m.ledger.escaped([*call.args, *call.kwargs.values()], call.node)
    return Unknown("result of an op of the program's own")


OWN_OP = LibFunction("torch.library.custom_op.op", _own_op)


@function("torch.library.custom_op", "torch.library.triton_op")
def _custom_op(m: Machine, call: Call) -> Value:
    given = call.get(1, "fn")
    return LibFunction("torch.library.custom_op.decorator", lambda m, call: OWN_OP) if given is None else OWN_OP
