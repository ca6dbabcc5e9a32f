"""Distributions: what two losses from one object share, and what each method needs again, as torch says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.machine.torch_verdict import machine_kind, torch_kind

pytest.importorskip("torch")
HEAD = "import torch\nimport torch.distributions as D\ntorch.manual_seed(0)\n"
LEAF = "(torch.rand({}) * 0.5 + 0.25).requires_grad_()"


@dataclass(frozen=True)
class Case:
    """A distribution made from parameters ``p`` and ``q``, a value for ``log_prob``, and the uses to try."""

    make: str
    uses: tuple[str, ...]
    value: str = "torch.rand(3) * 0.5 + 0.25"
    p: str = LEAF.format(3)
    q: str = LEAF.format(3)


CONTINUOUS = (
    "d.log_prob(v)",
    "d.entropy()",
    "d.rsample()",
    "d.log_prob(d.rsample())",
    "d.log_prob(d.sample())",
    "d.mean + d.stddev",
    "d.variance",
    "d.sample()",
)
DISCRETE = ("d.log_prob(v)", "d.entropy()", "d.probs", "d.logits", "d.log_prob(d.sample())", "d.sample()")
MATRIX = "(torch.eye(3) * 2).requires_grad_()"
HOT = "torch.eye(3)[torch.tensor([0, 2])]"

CASES = [
    Case(
        "D.Normal(p, q)", (*CONTINUOUS, "D.kl_divergence(d, D.Normal(0.5, 1.0))", "D.kl_divergence(d, D.Normal(p, q))")
    ),
    Case(
        "D.Normal(p, q.exp())",
        (*CONTINUOUS, "D.kl_divergence(d, D.Normal(0.5, 1.0))", "D.kl_divergence(D.Normal(0.5, 1.0), d)"),
    ),
    Case("D.Normal(p, 1.0)", CONTINUOUS[:2]),
    Case("D.Normal(p * 2, torch.ones(3))", CONTINUOUS[:5]),
    Case(
        "D.Independent(D.Normal(p, q), 1)",
        (*CONTINUOUS[:5], "d.mean", "D.kl_divergence(d, D.Independent(D.Normal(q, p), 1))"),
    ),
    Case("D.LogNormal(p, q)", CONTINUOUS),
    Case("D.Laplace(p, q)", CONTINUOUS),
    Case("D.Cauchy(p, q)", CONTINUOUS[:5]),
    Case("D.Gumbel(p, q)", (*CONTINUOUS[:5], "d.mean + d.stddev")),
    Case("D.HalfNormal(q)", CONTINUOUS[:5]),
    Case("D.Exponential(q)", CONTINUOUS),
    Case("D.StudentT(p + 3, p, q)", CONTINUOUS[:2]),
    Case("D.Uniform(p - 2, q + 2)", CONTINUOUS),
    Case("D.Gamma(p, q)", (*CONTINUOUS, "D.kl_divergence(d, D.Gamma(q, p))")),
    Case("D.Beta(p, q)", CONTINUOUS),
    Case("D.Dirichlet(p)", (*CONTINUOUS[:5], "d.mean"), "torch.tensor([0.2, 0.3, 0.5])"),
    Case("D.MultivariateNormal(p, covariance_matrix=q)", CONTINUOUS[:5], q=MATRIX),
    Case("D.MultivariateNormal(p, scale_tril=q)", (*CONTINUOUS[:5], "d.variance"), q=MATRIX),
    Case("D.MultivariateNormal(p, precision_matrix=q)", CONTINUOUS[:3], q=MATRIX),
    Case(
        "D.Bernoulli(probs=p)",
        (*DISCRETE, "d.mean", "d.variance", "D.kl_divergence(d, D.Bernoulli(probs=torch.full((3,), 0.4)))"),
        "torch.ones(3)",
    ),
    Case(
        "D.Bernoulli(logits=p)",
        (*DISCRETE, "d.mean", "D.kl_divergence(d, D.Bernoulli(logits=torch.zeros(3)))"),
        "torch.ones(3)",
    ),
    Case("D.Bernoulli(torch.sigmoid(p))", DISCRETE, "torch.ones(3)"),
    Case(
        "D.Categorical(probs=p)",
        (*DISCRETE, "D.kl_divergence(d, D.Categorical(logits=torch.zeros(3)))"),
        "torch.tensor(1)",
    ),
    Case(
        "D.Categorical(logits=p)",
        (*DISCRETE, "D.kl_divergence(d, D.Categorical(logits=torch.zeros(3)))"),
        "torch.tensor(1)",
    ),
    Case("D.Categorical(torch.softmax(p, -1))", DISCRETE, "torch.tensor(1)"),
    Case("D.Categorical(logits=p)", DISCRETE, "torch.tensor([1, 0])", p=LEAF.format("2, 3")),
    Case("D.OneHotCategorical(logits=p)", DISCRETE, "torch.eye(3)[1]"),
    Case("D.OneHotCategorical(probs=p)", DISCRETE, "torch.eye(3)[1]"),
    Case("D.OneHotCategoricalStraightThrough(logits=p)", (*DISCRETE, "d.rsample()"), "torch.eye(3)[1]"),
    Case("D.Geometric(probs=p)", DISCRETE, "torch.ones(3)"),
    Case("D.Poisson(q)", ("d.log_prob(v)", "d.mean"), "torch.ones(3)"),
    Case("D.Binomial(5, probs=p)", ("d.log_prob(v)", "d.mean"), "torch.ones(3)"),
    Case("D.RelaxedBernoulli(torch.tensor(0.5), logits=p)", ("d.rsample()", "d.log_prob(v)", "d.probs")),
    Case("D.RelaxedBernoulli(torch.tensor(0.5), probs=p)", ("d.rsample()", "d.log_prob(v)", "d.logits")),
    Case("D.RelaxedOneHotCategorical(torch.tensor(0.5), logits=p)", ("d.rsample()",)),
    Case(
        "D.TransformedDistribution(D.Normal(p, q), [D.TanhTransform(cache_size=1)])",
        ("d.rsample()", "d.log_prob(d.rsample())", "d.log_prob(v)"),
    ),
    Case("D.TransformedDistribution(D.Normal(p, q), D.SigmoidTransform())", ("d.rsample()", "d.log_prob(v)")),
    Case(
        "D.TransformedDistribution(D.Normal(p, q), [D.AffineTransform(1.0, 2.0), D.ExpTransform()])",
        ("d.rsample()", "d.log_prob(v)"),
    ),
]


def programs(case: Case) -> Iterator[tuple[str, str]]:
    for use in case.uses:
        start = f"{HEAD}p = {case.p}\nq = {case.q}\nv = {case.value}\nd = {case.make}\na = ({use}).sum()\n"
        yield f"{use} once", start + "a.backward()\n"
        yield f"{use} twice", start + f"a.backward()\nb = ({use}).sum()\nb.backward()\n"
        changes = ["q"] if "q" in case.make else []
        if "p" in case.make.replace("exp", "").replace("probs", "").replace("precision", "").replace("Independent", ""):
            changes.append("p")
        if "v" in use.split("(")[-1] and not case.value.startswith("torch.tensor("):
            changes.append("v")
        for name in changes:
            yield f"{use} {name} changed", start + f"with torch.no_grad():\n    {name}.mul_(1.0)\na.backward()\n"
    if len(case.uses) > 1:
        first, second = case.uses[0], case.uses[1]
        made = f"{HEAD}p = {case.p}\nq = {case.q}\nv = {case.value}\nd = {case.make}\n"
        yield f"{first}, then {second}", f"{made}({first}).sum().backward()\n({second}).sum().backward()\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.make)
def test_distribution(case: Case) -> None:
    wrong = []
    for title, text in programs(case):
        expected = torch_kind(text)
        assert not expected.startswith("invalid"), f"{title}: {expected}\n{text}"
        given = machine_kind(text)
        if given != expected:
            wrong.append(f"{title}: torch {expected or 'runs'}, machine {given or 'runs'}")
    assert not wrong, "\n".join(wrong)
