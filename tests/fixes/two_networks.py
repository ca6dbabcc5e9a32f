"""Training programs of several networks that torch refuses, or that train wrongly, and what they mean: each optimizer
applies the gradient of its own loss. ``SETUP`` + a program runs as it is; ``SETUP`` + its reference is the truth."""

from __future__ import annotations

from dataclasses import dataclass

SETUP = """
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
D = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
E = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
real = torch.randn(5, 4)
noise = torch.randn(5, 3)
"""
SGD = """
opt_g = torch.optim.SGD(G.parameters(), lr=0.1)
opt_d = torch.optim.SGD(D.parameters(), lr=0.1)
opt_e = torch.optim.SGD(E.parameters(), lr=0.1)
"""
ADAM = SGD.replace("SGD", "Adam")
# What a reference uses: the gradient of one loss for one network and nothing else.
OWN = """
def own(loss, *nets):
    params = [p for net in nets for p in net.parameters()]
    for p, g in zip(params, torch.autograd.grad(loss, params, retain_graph=True)):
        p.grad = g
"""
FOOTER = """
import json
print("PARAMETERS", json.dumps([p.double().flatten().tolist() for net in (G, D, E) for p in net.parameters()]))
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """A program and its reference, both after ``SETUP`` and the optimizers."""

    name: str
    optimizers: str
    program: str
    reference: str


GAN = """
for i in range(3):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = -D(fake).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
"""
GAN_TRUE = """
for i in range(3):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = -D(fake).mean()
    own(d_loss, D)
    own(g_loss, G)
    opt_d.step()
    opt_g.step()
"""

PAIRS = [
    Pair("gan-sgd", SGD, GAN, GAN_TRUE),
    Pair("gan-adam", ADAM, GAN, GAN_TRUE),
    Pair(
        "gan-clearing-at-the-top",
        SGD,
        GAN.replace("    opt_g.zero_grad()\n", "").replace(
            "    opt_d.zero_grad()\n", "    opt_d.zero_grad()\n    opt_g.zero_grad()\n"
        ),
        GAN_TRUE,
    ),
    Pair(
        "gan-attached-fake-with-retain-graph",
        SGD,
        GAN.replace("fake.detach()", "fake").replace("d_loss.backward()", "d_loss.backward(retain_graph=True)"),
        GAN_TRUE,
    ),
    Pair(
        "gan-feature-matching",
        ADAM,
        GAN.replace("-D(fake).mean()", "-D(fake).mean() + (D[:2](fake) - D[:2](real)).pow(2).mean()"),
        GAN_TRUE.replace("-D(fake).mean()", "-D(fake).mean() + (D[:2](fake) - D[:2](real)).pow(2).mean()"),
    ),
    Pair(
        "gan-step-under-a-condition",
        SGD,
        GAN.replace("    opt_d.step()\n", "    if d_loss.item() > -100:\n        opt_d.step()\n"),
        GAN_TRUE.replace("    opt_d.step()\n", "    if d_loss.item() > -100:\n        opt_d.step()\n"),
    ),
    Pair(
        "gan-clipped",
        SGD,
        GAN.replace(
            "    opt_d.step()\n", "    torch.nn.utils.clip_grad_norm_(D.parameters(), 0.1)\n    opt_d.step()\n"
        ),
        GAN_TRUE.replace("    own(g", "    torch.nn.utils.clip_grad_norm_(D.parameters(), 0.1)\n    own(g"),
    ),
    Pair(
        "actor-critic",
        ADAM,
        """
for i in range(3):
    action = G(noise)
    critic_loss = (D(real) - 1).pow(2).mean()
    actor_loss = -D(action).mean()
    opt_d.zero_grad()
    critic_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    actor_loss.backward()
    opt_g.step()
""",
        """
for i in range(3):
    action = G(noise)
    critic_loss = (D(real) - 1).pow(2).mean()
    actor_loss = -D(action).mean()
    own(critic_loss, D)
    own(actor_loss, G)
    opt_d.step()
    opt_g.step()
""",
    ),
    Pair(
        "shared-trunk",
        SGD,
        """
for i in range(3):
    h = E(E(real))
    a = D(h).pow(2).mean()
    b = (h - G(noise)).pow(2).mean()
    opt_e.zero_grad()
    opt_d.zero_grad()
    a.backward(retain_graph=True)
    opt_e.step()
    opt_d.step()
    opt_g.zero_grad()
    b.backward()
    opt_g.step()
""",
        """
for i in range(3):
    h = E(E(real))
    a = D(h).pow(2).mean()
    b = (h - G(noise)).pow(2).mean()
    own(a, E, D)
    own(b, G)
    opt_e.step()
    opt_d.step()
    opt_g.step()
""",
    ),
    Pair(
        "domain-adversarial",
        SGD,
        """
for i in range(3):
    features = E(real)
    d_loss = F.binary_cross_entropy_with_logits(D(features), torch.ones(5, 1))
    f_loss = features.pow(2).mean() - F.binary_cross_entropy_with_logits(D(features), torch.ones(5, 1))
    opt_d.zero_grad()
    d_loss.backward(retain_graph=True)
    opt_d.step()
    opt_e.zero_grad()
    f_loss.backward()
    opt_e.step()
""",
        """
for i in range(3):
    features = E(real)
    d_loss = F.binary_cross_entropy_with_logits(D(features), torch.ones(5, 1))
    f_loss = features.pow(2).mean() - F.binary_cross_entropy_with_logits(D(features), torch.ones(5, 1))
    own(d_loss, D)
    own(f_loss, E)
    opt_d.step()
    opt_e.step()
""",
    ),
    Pair(
        "three-optimizers",
        SGD,
        """
for i in range(3):
    model_loss = E(real).pow(2).mean()
    actor_loss = -D(E(G(noise))).mean()
    value_loss = (D(E(real).detach()) - 1).pow(2).mean()
    opt_e.zero_grad()
    model_loss.backward()
    opt_e.step()
    opt_g.zero_grad()
    actor_loss.backward()
    opt_g.step()
    opt_d.zero_grad()
    value_loss.backward()
    opt_d.step()
""",
        """
for i in range(3):
    model_loss = E(real).pow(2).mean()
    actor_loss = -D(E(G(noise))).mean()
    value_loss = (D(E(real).detach()) - 1).pow(2).mean()
    own(model_loss, E)
    own(actor_loss, G)
    own(value_loss, D)
    opt_e.step()
    opt_g.step()
    opt_d.step()
""",
    ),
    Pair(
        "gan-in-a-method",
        ADAM,
        """
class Trainer:
    def __init__(self):
        self.g, self.d = G, D
        self.opt_g, self.opt_d = opt_g, opt_d

    def update(self):
        fake = self.g(noise)
        d_loss = self.d(fake.detach()).mean() - self.d(real).mean()
        g_loss = -self.d(fake).mean()
        self.opt_d.zero_grad()
        d_loss.backward()
        self.opt_d.step()
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()


trainer = Trainer()
for i in range(3):
    trainer.update()
""",
        GAN_TRUE,
    ),
    Pair(
        "state-carried-on",
        SGD,
        """
h = torch.zeros(5, 4)
for i in range(4):
    h = E(h + real)
    loss = h.pow(2).mean()
    opt_e.zero_grad()
    loss.backward()
    opt_e.step()
""",
        """
h = torch.zeros(5, 4)
for i in range(4):
    h = E(h.detach() + real)
    own(h.pow(2).mean(), E)
    opt_e.step()
""",
    ),
    Pair(
        "target-made-once",
        SGD,
        """
target = D(real)
for i in range(3):
    loss = (D(E(real)) - target).pow(2).mean()
    opt_e.zero_grad()
    loss.backward()
    opt_e.step()
""",
        """
target = D(real).detach()
for i in range(3):
    own((D(E(real)) - target).pow(2).mean(), E)
    opt_e.step()
""",
    ),
    Pair(
        "fake-attached-without-retain-graph",
        SGD,
        """
for i in range(3):
    fake = G(noise)
    opt_d.zero_grad()
    d_loss = D(fake).mean() - D(real).mean()
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss = -D(fake).mean()
    g_loss.backward()
    opt_g.step()
""",
        """
for i in range(3):
    fake = G(noise)
    own(D(fake).mean() - D(real).mean(), D)
    opt_d.step()
    own(-D(fake).mean(), G)
    opt_g.step()
""",
    ),
    Pair(
        "advantage-attached",
        SGD,
        """
for i in range(3):
    value = D(real).squeeze(1)
    log_prob = F.log_softmax(G(noise), 1)[:, 0]
    advantage = torch.ones(5) - value
    policy_loss = -(advantage * log_prob).mean()
    value_loss = advantage.pow(2).mean()
    opt_g.zero_grad()
    opt_d.zero_grad()
    (policy_loss + value_loss).backward()
    opt_g.step()
    opt_d.step()
""",
        """
for i in range(3):
    value = D(real).squeeze(1)
    log_prob = F.log_softmax(G(noise), 1)[:, 0]
    advantage = torch.ones(5) - value
    own(-(advantage.detach() * log_prob).mean(), G)
    own(advantage.pow(2).mean(), D)
    opt_g.step()
    opt_d.step()
""",
    ),
]
