"""``torch.utils.data``: datasets, loaders and collation.

A batch is made from the samples as torch makes it, so an element of ``DataLoader(list(zip(X, Y)))`` still carries the
graph of ``Y``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .. import attributes, calls, iteration, subscripts
from ..core import Raised
from ..tensor import Tensor
from ..values import Instance, LibClass, Unknown, Value
from . import torch_ops as ops
from .builtins_lazy import lazy
from .numpy_arrays import as_tensor, is_array
from .registry import ALIASES, PROVIDERS, Call, Machine, function, lib_class, method, relies_on

FEW = 3  # batches of a loader whose length is not known
SAMPLES = 16  # samples that are really made for one batch of tensors or of a list
OWN_SAMPLES = 2  # the same for a dataset that the user wrote
for _name in ("dataset", "dataloader", "sampler", "distributed"):
    ALIASES[f"torch.utils.data.{_name}"] = "torch.utils.data"
ALIASES["torch.utils.data._utils.collate"] = "torch.utils.data"
ALIASES["torchdata.stateful_dataloader.StatefulDataLoader"] = "torch.utils.data.DataLoader"
ALIASES["torch_geometric.loader.DataLoader"] = "torch.utils.data.DataLoader"
ALIASES["torch_geometric.data.DataLoader"] = "torch.utils.data.DataLoader"

DATASET = lib_class("torch.utils.data.Dataset")
ITERABLE = lib_class("torch.utils.data.IterableDataset", "torch.utils.data.Dataset")
TENSORS = lib_class("torch.utils.data.TensorDataset", "torch.utils.data.Dataset")
CONCAT = lib_class("torch.utils.data.ConcatDataset", "torch.utils.data.Dataset")
SUBSET = lib_class("torch.utils.data.Subset", "torch.utils.data.Dataset")
STACK = lib_class("torch.utils.data.StackDataset", "torch.utils.data.Dataset")
VISION = lib_class("torchvision.datasets.VisionDataset", "torch.utils.data.Dataset")
LOADER = lib_class("torch.utils.data.DataLoader")
SAMPLER = lib_class("torch.utils.data.Sampler")
for _name in ("Random", "Sequential", "SubsetRandom", "WeightedRandom", "Distributed", "Batch"):
    lib_class(f"torch.utils.data.{_name}Sampler", "torch.utils.data.Sampler")


# -- datasets ---------------------------------------------------------------------------------------------------------
@method("torch.utils.data.Dataset", "__init__")
def _dataset(m: Machine, self: Instance, call: Call) -> Value:
    return None


@method("torch.utils.data.Dataset", "__add__")
def _add(m: Machine, self: Instance, call: Call) -> Value:
    made = Instance(CONCAT, m.here(call.node))
    made.attrs["datasets"] = [self, call.get(0, "other")]
    return made


@method("torch.utils.data.TensorDataset", "__init__")
def _tensors(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs["tensors"] = tuple(call.args)
    return None


@method("torch.utils.data.TensorDataset", "__getitem__")
def _row(m: Machine, self: Instance, call: Call) -> Value:
    index = call.get(0, "index")
    return tuple(subscripts.get_item(m, t, index, call.node) for t in self.attrs.get("tensors", ()))


@method("torch.utils.data.TensorDataset", "__len__")
def _rows(m: Machine, self: Instance, call: Call) -> Value:
    tensors = self.attrs.get("tensors", ())
    return attributes.length(m, tensors[0], call.node) if tensors else Unknown("length")


@method("torch.utils.data.ConcatDataset", "__init__")
def _concat(m: Machine, self: Instance, call: Call) -> Value:
    source = call.get(0, "datasets")
    self.attrs["datasets"] = source if isinstance(source, Unknown) else iteration.listed(m, source, call.node)
    return None


@method("torch.utils.data.ConcatDataset", "__getitem__")
def _concat_item(m: Machine, self: Instance, call: Call) -> Value:
    index, parts = call.get(0, "index"), self.attrs.get("datasets")
    if not isinstance(parts, list) or not parts:
        return Unknown("sample")
    for part in parts:
        size = attributes.length(m, part, call.node)
        if not isinstance(index, int) or not isinstance(size, int) or index < size:
            return subscripts.get_item(m, part, index, call.node)
        index -= size
    raise Raised(m.session.make_exception("IndexError", "index"), m.here(call.node))


@method("torch.utils.data.ConcatDataset", "__len__")
def _concat_len(m: Machine, self: Instance, call: Call) -> Value:
    parts = self.attrs.get("datasets")
    sizes = [attributes.length(m, p, call.node) for p in parts] if isinstance(parts, list) else [Unknown("length")]
    return sum(sizes) if all(isinstance(s, int) for s in sizes) else Unknown("length")


@method("torch.utils.data.Subset", "__init__")
def _subset(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs.update(dataset=call.get(0, "dataset"), indices=call.get(1, "indices"))
    return None


@method("torch.utils.data.Subset", "__getitem__")
def _subset_item(m: Machine, self: Instance, call: Call) -> Value:
    index = subscripts.get_item(m, self.attrs.get("indices"), call.get(0, "idx"), call.node)
    return subscripts.get_item(m, self.attrs.get("dataset"), index, call.node)


@method("torch.utils.data.Subset", "__len__")
def _subset_len(m: Machine, self: Instance, call: Call) -> Value:
    return attributes.length(m, self.attrs.get("indices"), call.node)


relies_on("torch.utils.data.StackDataset", None, "datasets")


@method("torch.utils.data.StackDataset", "__init__")
def _stack(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs["datasets"] = dict(call.kwargs) if call.kwargs else tuple(call.args)
    return None


@method("torch.utils.data.StackDataset", "__getitem__")
def _stack_item(m: Machine, self: Instance, call: Call) -> Value:
    parts, index = self.attrs["datasets"], call.get(0, "index")
    if isinstance(parts, dict):
        return {k: subscripts.get_item(m, p, index, call.node) for k, p in parts.items()}
    return tuple(subscripts.get_item(m, p, index, call.node) for p in iteration.listed(m, parts, call.node))


@method("torch.utils.data.StackDataset", "__len__")
def _stack_len(m: Machine, self: Instance, call: Call) -> Value:
    datasets = self.attrs["datasets"]
    parts = list(datasets.values()) if isinstance(datasets, dict) else iteration.listed(m, datasets, call.node)
    return attributes.length(m, parts[0], call.node) if parts else 0


@function("torch.utils.data.random_split")
def _random_split(m: Machine, call: Call) -> Value:
    dataset, lengths = call.get(0, "dataset"), call.get(1, "lengths")
    if isinstance(lengths, Unknown):
        return Unknown("split")
    made, start = [], 0
    total = attributes.length(m, dataset, call.node)
    for length in iteration.listed(m, lengths, call.node):
        part = Instance(SUBSET, m.here(call.node))
        if isinstance(length, float) and isinstance(total, int):
            length = int(length * total)
        known = isinstance(length, int) and not isinstance(length, bool)
        part.attrs.update(dataset=dataset, indices=range(start, start + length) if known else Unknown("indices"))
        start += length if known else 0
        made.append(part)
    return made


@method("torchvision.datasets.VisionDataset", "__init__")
def _vision(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs.update(
        root=call.get(0, "root"), classes=Unknown("classes"), targets=Unknown("targets"), data=Unknown("data")
    )
    self.attrs["transform"] = call.kwargs.get("transform")
    return None


@method("torchvision.datasets.VisionDataset", "__getitem__")
def _vision_item(m: Machine, self: Instance, call: Call) -> Value:
    image = ops.new_tensor(m, call.node, None, "float")
    return image, ops.new_tensor(m, call.node, (), "int")


@method("torchvision.datasets.VisionDataset", "__len__")
def _vision_len(m: Machine, self: Instance, call: Call) -> Value:
    made = self.attrs.get(" length")
    if made is None:
        made = self.attrs[" length"] = Unknown("length")
    return made


def _provide(name: str) -> Value:
    """``torchvision.datasets.CIFAR10`` and its like."""
    for prefix in ("torchvision.datasets.", "torchaudio.datasets."):
        if name.startswith(prefix):
            short = name.rpartition(".")[2]
            if short[:1].isupper():
                return lib_class(name, "torchvision.datasets.VisionDataset")
    return None


PROVIDERS.append(_provide)


# -- samplers ---------------------------------------------------------------------------------------------------------
@method("torch.utils.data.Sampler", "__init__")
def _sampler(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs["source"] = call.get(0, "data_source", call.kwargs.get("dataset"))
    return None


@method("torch.utils.data.Sampler", "set_epoch")
def _set_epoch(m: Machine, self: Instance, call: Call) -> Value:
    return None


@method("torch.utils.data.Sampler", "__len__")
def _sampler_len(m: Machine, self: Instance, call: Call) -> Value:
    return attributes.length(m, self.attrs.get("source", Unknown("source")), call.node)


@method("torch.utils.data.Sampler", "__iter__")
def _sampler_iter(m: Machine, self: Instance, call: Call) -> Value:
    size = _sampler_len(m, self, call)
    if isinstance(size, int):
        return lazy(iter(range(size)), size)
    return lazy(iter([0, 1, Unknown("index")]))


# -- loaders ----------------------------------------------------------------------------------------------------------
@method("torch.utils.data.DataLoader", "__init__")
def _loader(m: Machine, self: Instance, call: Call) -> Value:
    dataset = call.get(0, "dataset")
    batch_size = call.get(1, "batch_size", 1)
    drop_last = call.get(8, "drop_last", False)
    batch_sampler = call.get(4, "batch_sampler")
    sampler = call.get(3, "sampler")
    if batch_sampler is not None:
        batch_size = Unknown("batch_size")
    self.data = {"collate": call.get(6, "collate_fn"), "batches": None}
    self.attrs.update(
        dataset=dataset,
        batch_size=batch_size,
        drop_last=drop_last,
        num_workers=call.get(5, "num_workers", 0),
        batch_sampler=batch_sampler,
    )
    self.attrs["sampler"] = sampler if sampler is not None else Instance(SAMPLER)
    self.attrs["collate_fn"] = self.data["collate"]
    self.data["batches"] = batches_of(m, self, call.node)
    return None


def batches_of(m: Machine, self: Instance, node: ast.AST) -> int | None:
    """How many batches a loader gives, where that is known."""
    dataset, size = self.attrs.get("dataset"), self.attrs.get("batch_size")
    if isinstance(dataset, Unknown) or (
        isinstance(dataset, Instance) and dataset.is_a("torch.utils.data.IterableDataset")
    ):
        return None
    if isinstance(dataset, Instance) and attributes.find(m, dataset, "__len__") is None:
        return None
    length = attributes.length(m, dataset, node)
    sampler = self.attrs.get("sampler")
    if isinstance(sampler, Instance) and sampler.attrs.get("source") is not dataset and sampler.attrs:
        return None
    if not isinstance(length, int) or isinstance(length, bool):
        return None
    if size is None:
        return length
    if not isinstance(size, int) or size <= 0:
        return None
    return length // size if self.attrs.get("drop_last") is True else -(-length // size)


@method("torch.utils.data.DataLoader", "__len__")
def _loader_len(m: Machine, self: Instance, call: Call) -> Value:
    known = self.data["batches"] if isinstance(self.data, dict) else None
    if known is not None:
        return known
    made = self.attrs.get(" length")
    if made is None:
        made = self.attrs[" length"] = Unknown("length")
    return made


@method("torch.utils.data.DataLoader", "__iter__")
def _loader_iter(m: Machine, self: Instance, call: Call) -> Value:
    if not isinstance(self.data, dict):
        return Unknown("batches")
    count = self.data["batches"]
    dataset = self.attrs.get("dataset")
    if isinstance(dataset, Instance) and dataset.is_a("torch.utils.data.IterableDataset"):
        return lazy(_streamed(m, self, dataset, call.node))
    given = count if count is not None and count <= iteration.FULL else FEW
    values = (batch(m, self, i, call.node) for i in range(given))
    return lazy(values, given if count is not None and count == given else None)


def _samples_per_batch(self: Instance) -> int:
    """How many samples of one batch are really made."""
    size = self.attrs.get("batch_size")
    dataset = self.attrs.get("dataset")
    own = isinstance(dataset, Instance) and not isinstance(dataset.cls, LibClass)
    limit = (
        OWN_SAMPLES if own or (isinstance(dataset, Instance) and dataset.is_a("torch.utils.data.Subset")) else SAMPLES
    )
    return min(size, limit) if isinstance(size, int) and size > 0 else OWN_SAMPLES


def batch(m: Machine, self: Instance, number: int, node: ast.AST) -> Value:
    """The batch at ``number``: a few of its samples, collated."""
    dataset, size = self.attrs.get("dataset"), self.attrs.get("batch_size")
    if isinstance(dataset, Unknown) and self.data["collate"] is None:
        return dataset.derive(("batch", number), "batch")
    start = number * size if isinstance(size, int) else number
    if size is None:
        return subscripts.get_item(m, dataset, start, node)
    length = attributes.length(m, dataset, node)
    many = size if isinstance(size, int) else None
    if isinstance(length, int) and many is not None:
        many = min(many, max(length - start, 0))
        if self.attrs.get("drop_last") is True:
            many = size
    wanted = min(_samples_per_batch(self), many) if many is not None else _samples_per_batch(self)
    samples = [sample(m, dataset, start + k, node) for k in range(max(wanted, 1))]
    return collated(m, self, samples, many, node)


def sample(m: Machine, dataset: Value, index: int, node: ast.AST) -> Value:
    """``dataset[index]``."""
    if isinstance(dataset, Unknown):
        return dataset.derive(("sample", index), "sample")
    try:
        return subscripts.get_item(m, dataset, index, node)
    except Raised:
        return Unknown("sample")  # an index beyond what this sampler would ask for


def collated(m: Machine, self: Instance, samples: list[Value], size: int | None, node: ast.AST) -> Value:
    """The samples as the loader's ``collate_fn`` joins them."""
    own = self.data["collate"]
    if own is not None and getattr(own, "name", "") != "torch.utils.data.default_collate":
        return calls.call(m, own, [samples], {}, node)
    return collate(m, samples, size, node)


def _streamed(m: Machine, self: Instance, dataset: Instance, node: ast.AST) -> Iterator[Value]:
    """Batches of an iterable dataset."""
    size = self.attrs.get("batch_size")
    wanted = _samples_per_batch(self)
    group: list[Value] = []
    made = 0
    for value in iteration.iterate(m, dataset, node):
        if size is None:
            yield value
            made += 1
        else:
            group.append(value)
            if len(group) >= wanted:
                yield collated(m, self, group, size if isinstance(size, int) else None, node)
                group, made = [], made + 1
        if made >= FEW:
            return
    if group and self.attrs.get("drop_last") is not True:
        yield collated(m, self, group, None, node)


# -- collation --------------------------------------------------------------------------------------------------------
@function("torch.utils.data.default_collate")
def _default_collate(m: Machine, call: Call) -> Value:
    source = call.get(0, "batch")
    if isinstance(source, Unknown):
        return source.derive("collate")
    samples = iteration.listed(m, source, call.node)
    return collate(m, samples, len(samples), call.node) if samples else Unknown("batch")


def collate(m: Machine, samples: list[Value], size: int | None, node: ast.AST) -> Value:
    """``default_collate``; ``size`` is the true number of samples where ``samples`` are only some of them."""
    first = samples[0]
    if is_array(first):
        samples = [as_tensor(m, s, node) for s in samples]
        first = samples[0]
    if isinstance(first, Tensor):
        return stacked(m, samples, size, node)
    if isinstance(first, bool | int | float):
        return ops.new_tensor(m, node, (size,), "float" if isinstance(first, float) else "int")
    if isinstance(first, str | bytes):
        return list(samples)
    if isinstance(first, dict):
        return {k: collate(m, [_part(s, k) for s in samples], size, node) for k in first}
    if isinstance(first, list | tuple):
        columns = [collate(m, [_part(s, i) for s in samples], size, node) for i in range(len(first))]
        return tuple(columns) if isinstance(first, tuple) else columns
    if isinstance(first, Instance) and first.is_a("typing.NamedTuple"):
        made = Instance(first.cls, m.here(node))
        for name in first.attrs:
            made.attrs[name] = collate(m, [s.attrs[name] for s in samples if isinstance(s, Instance)], size, node)
        return made
    return first.derive("batch", "batch") if isinstance(first, Unknown) else Unknown("batch")


def _part(value: Value, key: Any) -> Value:
    try:
        return value[key]
    except (KeyError, IndexError, TypeError):
        return Unknown("sample")


def stacked(m: Machine, samples: list[Value], size: int | None, node: ast.AST) -> Value:
    """``torch.stack`` of the samples; only their number is corrected."""
    tensors = [s for s in samples if isinstance(s, Tensor)]
    if any(t.requires_grad is not False for t in tensors):
        made = ops.torch_function(m, "stack", [tensors], {}, node)
    else:
        shape = tensors[0].shape
        made = ops.new_tensor(m, node, None if shape is None else (size, *shape), tensors[0].dtype)
        m.ledger.carry_cuts(tensors, [made])
    if isinstance(made, Tensor) and made.shape:
        made.shape = (size, *made.shape[1:])
    return made


@function("torch.utils.data.get_worker_info")
def _worker_info(m: Machine, call: Call) -> Value:
    return None


@function("torchvision.utils.save_image", "torchvision.utils.draw_bounding_boxes")
def _save_image(m: Machine, call: Call) -> Value:
    return None


@function("torchvision.utils.make_grid")
def _make_grid(m: Machine, call: Call) -> Value:
    return ops.new_tensor(m, call.node, (3, None, None))
