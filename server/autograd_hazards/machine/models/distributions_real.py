"""Distributions over the reals by location and scale, and positive ones by rate."""

from __future__ import annotations

from .distributions import (
    FAMILY,
    Body,
    declare,
    value_sampler,
)
from .nn_terms import Term


def _normal_log_prob(d: Body, x: Term) -> Term:
    var = d.scale**2
    log_scale = d.scale.log()
    return -((x - d.loc) ** 2) / (2 * var) - log_scale - 0.9189


NORMAL = declare(
    "Normal",
    "loc, scale",
    FAMILY,
    log_prob=_normal_log_prob,
    entropy=lambda d: 1.4189 + d.scale.log(),
    rsample=lambda d, c: d.loc + d.noise(c) * d.scale,
    cdf=lambda d, x: 0.5 * (1 + ((x - d.loc) * d.scale.do("reciprocal") / 1.41).do("erf")),
    icdf=lambda d, x: d.loc + d.scale * (2 * x - 1).do("erfinv") * 1.41,
    mean=lambda d: d.loc,
    mode=lambda d: d.loc,
    stddev=lambda d: d.scale,
    variance=lambda d: d.stddev.do("pow", 2),
)
value_sampler(NORMAL)
LOG_NORMAL = declare(
    "LogNormal",
    "loc, scale",
    log_prob=lambda d, x: _normal_log_prob(d, x.log()) - x.log(),
    entropy=lambda d: 1.4189 + d.scale.log() + d.loc,
    rsample=lambda d, c: (d.loc + d.noise(c) * d.scale).exp(),
    mean=lambda d: (d.loc + d.scale.do("pow", 2) / 2).exp(),
    mode=lambda d: (d.loc - d.scale.do("square")).exp(),
    variance=lambda d: d.scale.do("pow", 2).do("expm1") * (2 * d.loc + d.scale.do("pow", 2)).exp(),
)
LAPLACE = declare(
    "Laplace",
    "loc, scale",
    log_prob=lambda d, x: -(2 * d.scale).log() - (x - d.loc).do("abs") / d.scale,
    entropy=lambda d: 1 + (2 * d.scale).log(),
    rsample=lambda d, c: d.loc - d.scale * d.noise(c),
    mean=lambda d: d.loc,
    mode=lambda d: d.loc,
    stddev=lambda d: 1.41 * d.scale,
    variance=lambda d: 2 * d.scale.do("pow", 2),
)
CAUCHY = declare(
    "Cauchy",
    "loc, scale",
    log_prob=lambda d, x: -1.14 - d.scale.log() - (1 + ((x - d.loc) / d.scale) ** 2).log(),
    entropy=lambda d: 2.53 + d.scale.log(),
    rsample=lambda d, c: d.loc + d.noise(c) * d.scale,
    mode=lambda d: d.loc,
)
UNIFORM = declare(
    "Uniform",
    "low, high",
    log_prob=lambda d, x: d.noise().log() - (d.high - d.low).log(),
    entropy=lambda d: (d.high - d.low).log(),
    rsample=lambda d, c: d.low + d.noise(c) * (d.high - d.low),
    cdf=lambda d, x: ((x - d.low) / (d.high - d.low)).do("clamp", 0, 1),
    mean=lambda d: (d.high + d.low) / 2,
    stddev=lambda d: (d.high - d.low) / 3.46,
    variance=lambda d: (d.high - d.low).do("pow", 2) / 12,
    mode=lambda d: d.low * float("nan"),
)
EXPONENTIAL = declare(
    "Exponential",
    "rate",
    FAMILY,
    log_prob=lambda d, x: d.rate.log() - d.rate * x,
    entropy=lambda d: 1.0 - d.rate.log(),
    rsample=lambda d, c: d.noise(c) / d.rate,
    mean=lambda d: d.rate.do("reciprocal"),
    stddev=lambda d: d.rate.do("reciprocal"),
    variance=lambda d: d.rate.do("pow", -2),
)
GUMBEL = declare(
    "Gumbel",
    "loc, scale",
    log_prob=lambda d, x: ((d.loc - x) / d.scale) - ((d.loc - x) / d.scale).exp() - d.scale.log(),
    entropy=lambda d: d.scale.log() + 1.57,
    rsample=lambda d, c: d.loc + d.noise(c) * d.scale,
    mean=lambda d: d.loc + d.scale * 0.57,
    mode=lambda d: d.loc,
    stddev=lambda d: 1.28 * d.scale,
    variance=lambda d: d.stddev.do("pow", 2),
)
HALF_NORMAL = declare(
    "HalfNormal",
    "scale",
    log_prob=lambda d, x: -(x**2) / (2 * d.scale**2) - d.scale.log(),
    entropy=lambda d: 0.72 + d.scale.log(),
    rsample=lambda d, c: d.noise(c) * d.scale,
    mean=lambda d: d.scale * 0.8,
    variance=lambda d: d.scale.do("pow", 2) * 0.36,
)
HALF_CAUCHY = declare(
    "HalfCauchy",
    "scale",
    log_prob=lambda d, x: -d.scale.log() - (1 + (x / d.scale) ** 2).log(),
    entropy=lambda d: 1.8 + d.scale.log(),
    rsample=lambda d, c: d.noise(c) * d.scale,
)
STUDENT = declare(
    "StudentT",
    "df, loc=0.0, scale=1.0",
    log_prob=lambda d, x: _student_log_prob(d, x),
    entropy=lambda d: d.opaque("studentT_entropy", d.df, d.scale),
    rsample=lambda d, c: d.loc + d.scale * (d.noise(c) * (d.opaque("_standard_gamma", d.df) / d.df).do("rsqrt")),
    mode=lambda d: d.loc,
    mean=lambda d: d.loc.copy(),
)


def _student_log_prob(d: Body, x: Term) -> Term:
    y = (x - d.loc) / d.scale
    z = d.scale.log() + 0.5 * d.df.log() + (0.5 * d.df).do("lgamma") - (0.5 * (d.df + 1.0)).do("lgamma")
    return -0.5 * (d.df + 1.0) * (y**2.0 / d.df).do("log1p") - z
