"""What many scenes need: networks, optimizers, losses, and a change in place where nobody should make one."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential import modules
from tests.differential.author import MATRIX, Author, Var
from tests.differential.mutations import mutate

OPTIMIZERS = (
    "torch.optim.SGD({0}, lr=0.1)", "torch.optim.Adam({0}, lr=0.01)", "torch.optim.AdamW({0}, lr=0.01)", "torch.optim.SGD({0}, lr=0.1, momentum=0.9)",
    "torch.optim.RMSprop({0}, lr=0.01)", "torch.optim.Adam({0}, lr=0.01, betas=(0.5, 0.9))", "torch.optim.Adam({0}, fused=True)",
)  # fmt: skip
LOSSES = (
    "F.mse_loss({0}, {1})", "({0} - {1}).pow(2).mean()", "F.l1_loss({0}, {1})", "F.smooth_l1_loss({0}, {1})", "nn.MSELoss()({0}, {1})",
    "(({0} - {1}) ** 2).sum()", "F.binary_cross_entropy_with_logits({0}, torch.sigmoid({1}))", "F.kl_div({0}.log_softmax(-1), {1}.softmax(-1), reduction='sum')",
)  # fmt: skip


def net(a: Author) -> str:
    """An expression that makes a network from (4, 4) to (4, 4)."""
    return modules.sequential(a) if a.chance(0.6) else modules.layer(a)


def optimizer(a: Author, parameters: str) -> str:
    """An expression that makes an optimizer."""
    return a.pick(OPTIMIZERS).format(parameters)


def loss(a: Author, predicted: str, target: str) -> str:
    """An expression of a scalar that compares two."""
    return a.pick(LOSSES).format(predicted, target)


def change(a: Author, name: str, probability: float = 0.4) -> str:
    """A line that changes the tensor ``name`` in place, of careless authors only; else nothing."""
    if a.careful() or not a.chance(probability):
        return ""
    return a.captured(lambda author: mutate(author, (name, MATRIX)), **{name: Var("tensor", MATRIX, True)})


def backward(a: Author, loss_name: str = "loss") -> str:
    """A backward, that may keep its graph."""
    return f"{loss_name}.backward({a.weighted(((8, ''), (1, 'retain_graph=True')))})"


def update(a: Author, opt: str, loss_name: str = "loss") -> str:
    """Clear, backward, step: in this order, or not."""
    lines = [
        f"{opt}.zero_grad({a.pick(('', '', 'set_to_none=True', 'set_to_none=False'))})",
        backward(a, loss_name),
        f"{opt}.step()",
    ]
    if not a.careful():
        a.rng.shuffle(lines)
    return a.one("\n".join(lines))
