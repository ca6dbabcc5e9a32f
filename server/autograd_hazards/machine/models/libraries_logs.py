"""Loggers and experiment trackers: they read numbers and keep no graph."""

from __future__ import annotations

from ..values import Instance, LibFunction, Unknown, Value
from .registry import QUIET, Call, Machine, function, lib_class, method

SINK = lib_class("logging.Logger")
QUIET.update(
    "wandb mlflow neptune comet_ml tensorboard_logger loguru absl rich colorlog coloredlogs aim clearml".split(),
    "swanlab termcolor".split(),
)
for _name in (
    "torch.utils.tensorboard.SummaryWriter",
    "torch.utils.tensorboard.writer.SummaryWriter",
    "tensorboardX.SummaryWriter",
    "visdom.Visdom",
    "comet_ml.Experiment",
    "loguru.logger",
    "logging.StreamHandler",
    "logging.FileHandler",
    "logging.Formatter",
    "logging.RootLogger",
    "rich.console.Console",
    "torch.profiler.profile",
):
    lib_class(_name, "logging.Logger")


@function(
    "logging.getLogger",
    "wandb.init",
    "absl.logging.get_absl_logger",
    "accelerate.logging.get_logger",
    "structlog.get_logger",
)
def _logger(m: Machine, call: Call) -> Value:
    return Instance(SINK, m.here(call.node))


@method("logging.Logger", "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    return None


@method("logging.Logger", "__enter__", "__aenter__")
def _enter(m: Machine, self: Instance, call: Call) -> Value:
    return self


@method("logging.Logger", "__exit__", "__setitem__", "__call__")
def _nothing(m: Machine, self: Instance, call: Call) -> Value:
    return None


@method("logging.Logger", "__getattr__")
def _getattr(m: Machine, self: Instance, call: Call) -> Value:
    """Any method of theirs: takes what it is given and gives nothing that matters."""
    name = call.get(0, "name")
    return LibFunction(name if isinstance(name, str) else "log", lambda m, inner: Unknown("log"))
