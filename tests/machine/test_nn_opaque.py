"""Networks nobody can read, and wrappers around modules: what is assumed of them, and what is not."""

from __future__ import annotations

import pytest

from autograd_hazards.machine import debug_values, run_text
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.machine.values import Unknown


def _loud(text: str) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(e.kind, e.where.site.row, e.assumed) for e in run_text(text) if e.loud]


RESNET = "import torch\nimport torch.nn as nn\nfrom torchvision import models\nnet = models.resnet18()\nx = torch.randn(1, 3, 8, 8)\n"
BERT = "import torch\nfrom transformers import AutoModel\nnet = AutoModel.from_pretrained('b')\nids = torch.tensor([[1]])\n"


def test_backward_twice_rests_on_an_assumption() -> None:
    assert _loud(RESNET + "y = net(x).sum()\ny.backward()\ny.backward()\n") == [("freed", 8, ("opaque module",))]


def test_a_step_between_is_seen() -> None:
    text = (
        RESNET
        + "opt = torch.optim.SGD(net.parameters(), 0.1)\na = net(x).sum()\nb = net(x).sum()\na.backward()\nopt.step()\nb.backward()\n"
    )
    assert _loud(text) == [("version", 11, ("opaque module",))]


def test_one_loop_is_clean() -> None:
    text = BERT + (
        "opt = torch.optim.AdamW(net.parameters())\nfor i in range(3):\n    out = net(ids, labels=ids)\n    loss = out.loss + out[1].mean()\n"
        "    opt.zero_grad()\n    loss.backward()\n    opt.step()\n"
    )
    assert _loud(text) == []


def test_attributes_of_a_result_are_results() -> None:
    names = debug_values(
        BERT + "out = net(ids)\na = out.last_hidden_state[:, 0]\nb = out['pooler_output']\nc, d = out\ne = out.loss\n"
    )
    assert all(isinstance(names[n], Tensor) and names[n].requires_grad for n in "abcde")


def test_frozen_network_with_a_new_head() -> None:
    text = RESNET + (
        "for p in net.parameters():\n    p.requires_grad = False\nnet.fc = nn.Linear(net.fc.in_features, 10)\n"
        "flags = [p.requires_grad for p in net.parameters()]\nnames = [n for n, _ in net.named_parameters()]\n"
        "y = net(x).sum()\ny.backward()\n"
    )
    names = debug_values(text)
    assert names["flags"] == [False, True, True]
    assert isinstance(names["names"][0], Unknown)
    assert names["names"][1:] == ["fc.weight", "fc.bias"]
    assert _loud(text) == []


def test_freezing_some_by_name_claims_nothing() -> None:
    text = RESNET + (
        "for n, p in net.named_parameters():\n    if 'layer4' not in n:\n        p.requires_grad = False\n"
        "for p in net.layer1.parameters():\n    p.requires_grad = False\nnet.layer2.requires_grad_(False)\ny = net(x).sum()\ny.backward()\n"
    )
    assert _loud(text) == []


def test_children_of_an_unknown_network() -> None:
    names = debug_values(
        RESNET + "body = nn.Sequential(*list(net.children())[:-1])\ny = body(x)\nn = len(list(body.parameters()))\n"
    )
    assert names["y"].requires_grad
    assert names["n"] == 1


def test_subclass_of_an_unknown_network() -> None:
    text = (
        "import torch\nimport torch.nn as nn\nfrom transformers import BertPreTrainedModel, BertModel\n"
        "class Tagger(BertPreTrainedModel):\n    def __init__(self, config):\n        super().__init__(config)\n"
        "        self.bert = BertModel(config)\n        self.head = nn.Linear(config.hidden_size, 3)\n        self.post_init()\n"
        "    def forward(self, x):\n        return self.head(self.bert(x)[0])\n"
        "net = Tagger.from_pretrained('b')\nnames = [n for n, _ in net.named_parameters()][1:]\ny = net(torch.tensor([[1]]))\n"
    )
    names = debug_values(text)
    assert names["names"] == ["head.weight", "head.bias"]
    assert names["y"].requires_grad


def test_a_class_with_an_unknown_base_and_a_forward_is_a_module() -> None:
    text = (
        "import torch\nimport torch.nn as nn\nfrom elsewhere import Base\n"
        "class Net(Base):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(2, 2)\n"
        "    def forward(self, x):\n        return torch.exp(self.l(x))\n"
        "net = Net()\nnames = [n for n, _ in net.named_parameters()]\ny = net(torch.zeros(1, 2))\ny += 1\ny.sum().backward()\n"
    )
    assert debug_values(text)["names"] == ["l.weight", "l.bias"]
    assert [(kind, row) for kind, row, _ in _loud(text)] == [("version", 14)]


def test_ddp_overwrites_buffers_when_there_are_several_processes() -> None:
    head = (
        "import torch\nimport torch.nn as nn\nfrom torch.nn.parallel import DistributedDataParallel as DDP\n"
        "x = torch.randn(4, 3)\nnet = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))\n"
    )
    assert _loud(head + "net = DDP(net)\n(net(x).sum() + net(x).sum()).backward()\n") == [
        ("version", 7, ("several processes",))
    ]
    assert _loud(head + "net = DDP(net, broadcast_buffers=False)\n(net(x).sum() + net(x).sum()).backward()\n") == []


def test_compiled_functions_and_modules_are_the_same() -> None:
    text = (
        "import torch\nimport torch.nn as nn\nnet = torch.compile(nn.Linear(2, 2))\nn = [n for n, _ in net.named_parameters()]\n"
        "@torch.compile\ndef f(x):\n    return net(x).exp()\n@torch.compile(mode='x')\ndef g(x):\n    return f(x)\n"
        "y = g(torch.zeros(1, 2))\ny += 1\ny.sum().backward()\n"
    )
    assert debug_values(text)["n"] == ["weight", "bias"]
    assert [kind for kind, _, _ in _loud(text)] == ["version"]


def test_second_walk_of_parameters() -> None:
    head = "import torch\nimport torch.nn as nn\nnet = nn.Linear(2, 2)\n"
    events = run_text(head + "ps = net.parameters()\nopt = torch.optim.SGD(ps, 0.1)\nfor p in ps:\n    pass\n")
    assert [(e.kind, e.where.site.row, e.data["made"].site.row, e.data["first"].site.row) for e in events] == [
        ("parameters_exhausted", 6, 4, 5)
    ]
    assert (
        run_text(head + "ps = list(net.parameters())\nopt = torch.optim.SGD(ps, 0.1)\nfor p in ps:\n    pass\n") == []
    )
    looped = run_text(head + "ps = net.parameters()\nfor i in range(2):\n    for p in ps:\n        pass\n")
    assert [e.kind for e in looped] == ["parameters_exhausted"]


@pytest.mark.parametrize(
    "made",
    [
        "filter(lambda p: p.requires_grad, net.parameters())",
        "(p for p in net.parameters() if p.requires_grad)",
        "itertools.chain(net.parameters(), other.parameters())",
        "map(lambda p: p, net.parameters())",
        "iter(list(net.parameters()))",
        "some(net)",
        "zip_names(net)",
    ],
)
def test_second_walk_of_what_is_made_of_parameters(made: str) -> None:
    head = (
        "import itertools\nimport torch\nimport torch.nn as nn\nnet, other = nn.Linear(2, 2), nn.Linear(2, 2)\n"
        "def some(net):\n    for p in net.parameters():\n        yield p\n"
        "def zip_names(net):\n    yield from net.named_parameters()\n"
        f"ps = {made}\n"
    )
    events = run_text(head + "for p in ps:\n    pass\nfor p in ps:\n    pass\n")
    assert [(e.kind, e.where.site.row, e.data["made"].site.row, e.data["first"].site.row) for e in events] == [
        ("parameters_exhausted", 13, 10, 11)
    ]
    assert run_text(head + "for p in ps:\n    pass\nfor q in range(2):\n    pass\n") == []
    assert run_text(head + "next(ps)\nfor p in ps:\n    pass\n") == []
