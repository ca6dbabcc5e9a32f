"""More programs of several networks, with their references: methods, helpers, loops, scalers, schedulers, containers."""

from __future__ import annotations

from tests.fixes.two_networks import ADAM, GAN, GAN_TRUE, SGD, Pair

ALTERNATING = """
for i in range(3):
    fake = G(noise)
    own(D(fake.detach()).mean() - D(real).mean(), D)
    opt_d.step()
    own(-D(fake).mean(), G)
    opt_g.step()
"""

ARRANGEMENTS = [
    Pair(
        "forward-and-backward-in-different-methods",
        ADAM,
        """
class Model:
    def __init__(self):
        self.g, self.d = G, D
        self.g_optimizer, self.d_optimizer = opt_g, opt_d

    def process(self, images, z):
        self.g_optimizer.zero_grad()
        self.d_optimizer.zero_grad()
        fake = self.g(z)
        d_loss = self.d(fake.detach()).mean() - self.d(images).mean()
        g_loss = -self.d(fake).mean()
        return fake, g_loss, d_loss

    def backward(self, g_loss, d_loss):
        d_loss.backward()
        self.d_optimizer.step()
        g_loss.backward()
        self.g_optimizer.step()


model = Model()
for i in range(3):
    fake, g_loss, d_loss = model.process(real, noise)
    model.backward(g_loss, d_loss)
""",
        GAN_TRUE,
    ),
    Pair(
        "halves-in-two-methods",
        SGD,
        """
class Trainer:
    def forward(self):
        self.fake = G(noise)
        self.d_loss = D(self.fake.detach()).mean() - D(real).mean()
        self.g_loss = -D(self.fake).mean()

    def update_d(self):
        opt_d.zero_grad()
        self.d_loss.backward()
        opt_d.step()

    def update_g(self):
        opt_g.zero_grad()
        self.g_loss.backward()
        opt_g.step()


trainer = Trainer()
for i in range(3):
    trainer.forward()
    trainer.update_d()
    trainer.update_g()
""",
        GAN_TRUE,
    ),
    Pair(
        "one-helper-for-both",
        SGD,
        """
def update(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for i in range(3):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = -D(fake).mean()
    update(opt_d, d_loss)
    update(opt_g, g_loss)
""",
        GAN_TRUE,
    ),
    Pair(
        "grad-scaler",
        SGD,
        """
scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
for i in range(3):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = -D(fake).mean()
    opt_d.zero_grad()
    scaler.scale(d_loss).backward()
    scaler.unscale_(opt_d)
    torch.nn.utils.clip_grad_norm_(D.parameters(), 0.1)
    scaler.step(opt_d)
    opt_g.zero_grad()
    scaler.scale(g_loss).backward()
    scaler.step(opt_g)
    scaler.update()
""",
        GAN_TRUE.replace("    own(g", "    torch.nn.utils.clip_grad_norm_(D.parameters(), 0.1)\n    own(g"),
    ),
    Pair(
        "schedulers-move-along",
        SGD,
        """
sched_d = torch.optim.lr_scheduler.StepLR(opt_d, 1, 0.5)
sched_g = torch.optim.lr_scheduler.StepLR(opt_g, 1, 0.5)
for i in range(3):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = -D(fake).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    sched_d.step()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    sched_g.step()
""",
        """
sched_d = torch.optim.lr_scheduler.StepLR(opt_d, 1, 0.5)
sched_g = torch.optim.lr_scheduler.StepLR(opt_g, 1, 0.5)
"""
        + GAN_TRUE
        + "    sched_d.step()\n    sched_g.step()\n",
    ),
    Pair(
        "every-second-step",
        ADAM,
        """
for i in range(4):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = -D(fake).mean()
    d_loss.backward()
    if i % 2 == 1:
        nn.utils.clip_grad_norm_(D.parameters(), 1.0)
        opt_d.step()
        opt_d.zero_grad()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
""",
        """
kept = [torch.zeros_like(p) for p in D.parameters()]
for i in range(4):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = -D(fake).mean()
    own(d_loss, D)
    kept = [k + p.grad for k, p in zip(kept, D.parameters())]
    own(g_loss, G)
    if i % 2 == 1:
        for p, k in zip(D.parameters(), kept):
            p.grad = k
        nn.utils.clip_grad_norm_(D.parameters(), 1.0)
        opt_d.step()
        kept = [torch.zeros_like(p) for p in D.parameters()]
    opt_g.step()
""",
    ),
    Pair(
        "retain-graph-really-needed",
        SGD,
        """
for i in range(3):
    h = E(real)
    recon = (G(h[:, :3]) - real).pow(2).mean()
    score = D(h).pow(2).mean()
    opt_e.zero_grad()
    opt_g.zero_grad()
    opt_d.zero_grad()
    recon.backward()
    score.backward()
    opt_e.step()
    opt_g.step()
    opt_d.step()
""",
        """
for i in range(3):
    h = E(real)
    recon = (G(h[:, :3]) - real).pow(2).mean()
    score = D(h).pow(2).mean()
    own(recon + score, E, G, D)
    opt_e.step()
    opt_g.step()
    opt_d.step()
""",
    ),
    Pair(
        "cleared-through-the-networks",
        SGD,
        GAN.replace("opt_d.zero_grad()", "D.zero_grad()").replace("opt_g.zero_grad()", "G.zero_grad()"),
        GAN_TRUE,
    ),
    Pair("momentum-and-decay", SGD.replace("lr=0.1", "lr=0.1, momentum=0.9, weight_decay=0.01"), GAN, GAN_TRUE),
    Pair(
        "names-in-dictionaries",
        SGD,
        """
nets = {"g": G, "d": D}
opts = {"g": opt_g, "d": opt_d}
for i in range(3):
    fake = nets["g"](noise)
    losses = {
        "d": nets["d"](fake.detach()).mean() - nets["d"](real).mean(),
        "g": -nets["d"](fake).mean(),
    }
    opts["d"].zero_grad()
    losses["d"].backward()
    opts["d"].step()
    opts["g"].zero_grad()
    losses["g"].backward()
    opts["g"].step()
""",
        GAN_TRUE,
    ),
    Pair(
        "two-critics-one-actor",
        ADAM,
        """
for i in range(3):
    action = G(noise)
    q1, q2 = D(real), D(E(real))
    target = torch.ones(5, 1)
    critic_loss = (q1 - target).pow(2).mean() + (q2 - target).pow(2).mean()
    actor_loss = -torch.min(D(action), D(E(action))).mean()
    opt_d.zero_grad()
    opt_e.zero_grad()
    critic_loss.backward()
    opt_d.step()
    opt_e.step()
    opt_g.zero_grad()
    actor_loss.backward()
    opt_g.step()
""",
        """
for i in range(3):
    action = G(noise)
    q1, q2 = D(real), D(E(real))
    target = torch.ones(5, 1)
    critic_loss = (q1 - target).pow(2).mean() + (q2 - target).pow(2).mean()
    actor_loss = -torch.min(D(action), D(E(action))).mean()
    own(critic_loss, D, E)
    own(actor_loss, G)
    opt_d.step()
    opt_e.step()
    opt_g.step()
""",
    ),
    Pair(
        "generator-goes-first",
        SGD,
        """
for i in range(3):
    fake = G(noise)
    g_loss = -D(fake).mean()
    d_loss = D(fake).mean() - D(real).mean()
    opt_g.zero_grad()
    g_loss.backward(retain_graph=True)
    opt_g.step()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
""",
        """
for i in range(3):
    fake = G(noise)
    g_loss = -D(fake).mean()
    d_loss = D(fake).mean() - D(real).mean()
    own(g_loss, G)
    own(d_loss, D)
    opt_g.step()
    opt_d.step()
""",
    ),
    Pair(
        "chained-parameters",
        """
import itertools
opt_g = torch.optim.Adam(itertools.chain(G.parameters(), E.parameters()), lr=0.01)
opt_d = torch.optim.Adam(D.parameters(), lr=0.01)
""",
        """
for i in range(3):
    fake = E(G(noise))
    cycle = (E(real) - real).pow(2).mean()
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = cycle - D(fake).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
""",
        """
for i in range(3):
    fake = E(G(noise))
    cycle = (E(real) - real).pow(2).mean()
    own(D(fake.detach()).mean() - D(real).mean(), D)
    own(cycle - D(fake).mean(), G, E)
    opt_d.step()
    opt_g.step()
""",
    ),
    Pair(
        "one-line-suites-and-semicolons",
        SGD,
        """
for i in range(3):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean(); g_loss = -D(fake).mean()
    opt_d.zero_grad(); d_loss.backward(); opt_d.step()
    opt_g.zero_grad(); g_loss.backward(); opt_g.step()
""",
        GAN_TRUE,
    ),
    Pair(
        "feature-matching-with-targets-attached",
        SGD,
        """
for i in range(3):
    fake = G(noise)
    real_features, fake_features = D[:2](real), D[:2](fake)
    d_loss = D[2](D[:2](fake.detach())).mean() - D[2](real_features).mean()
    g_loss = (fake_features.mean(0) - real_features.mean(0)).pow(2).sum()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
""",
        """
for i in range(3):
    fake = G(noise)
    real_features, fake_features = D[:2](real), D[:2](fake)
    own(D[2](D[:2](fake.detach())).mean() - D[2](real_features).mean(), D)
    own((fake_features.mean(0) - real_features.mean(0)).pow(2).sum(), G)
    opt_d.step()
    opt_g.step()
""",
    ),
    Pair(
        "steps-in-a-loop-over-optimizers",
        SGD,
        """
for i in range(3):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
    g_loss = -D(fake).mean()
    for optimizer, loss in ((opt_d, d_loss), (opt_g, g_loss)):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
        GAN_TRUE,
    ),
    Pair(
        "gradients-leak-into-the-discriminator",
        SGD,
        """
for i in range(3):
    fake = G(noise)
    d_loss = D(fake.detach()).mean() - D(real).mean()
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
    own(D(fake.detach()).mean() - D(real).mean(), D)
    opt_d.step()
    own(-D(fake).mean(), G)
    opt_g.step()
""",
    ),
    Pair(
        "recurrent-state-of-two-networks",
        ADAM,
        """
h = torch.zeros(5, 4)
for i in range(4):
    h = E(h + real)
    value = D(h)
    loss = (value - 1).pow(2).mean()
    opt_e.zero_grad(); opt_d.zero_grad()
    loss.backward()
    opt_e.step(); opt_d.step()
""",
        """
h = torch.zeros(5, 4)
for i in range(4):
    h = E(h.detach() + real)
    own((D(h) - 1).pow(2).mean(), E, D)
    opt_e.step(); opt_d.step()
""",
    ),
    Pair(
        "weights-clipped-too-early",
        SGD,
        """
for i in range(3):
    d_loss = D(G(noise).detach()).mean() - D(real).mean()
    opt_d.zero_grad()
    d_loss.backward()
    for p in D.parameters():
        p.data.clamp_(-0.1, 0.1)
    opt_d.step()
""",
        """
for i in range(3):
    own(D(G(noise).detach()).mean() - D(real).mean(), D)
    opt_d.step()
    for p in D.parameters():
        p.data.clamp_(-0.1, 0.1)
""",
    ),
    Pair(
        "moving-average-with-graph",
        SGD,
        """
average = torch.zeros(4)
for i in range(4):
    h = E(real)
    average = 0.9 * average + 0.1 * h.mean(0)
    loss = (h - average).pow(2).mean() + h.pow(2).mean()
    opt_e.zero_grad()
    loss.backward()
    opt_e.step()
""",
        """
average = torch.zeros(4)
for i in range(4):
    h = E(real)
    average = 0.9 * average.detach() + 0.1 * h.mean(0)
    own((h - average).pow(2).mean() + h.pow(2).mean(), E)
    opt_e.step()
""",
    ),
    Pair(
        "later-loss-steps-two-optimizers",
        SGD,
        """
for i in range(3):
    feature = E(real)
    score = D(feature)
    d_loss = score.mean() - D(real).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    loss = G(feature[:, :3]).pow(2).mean() - score.mean()
    opt_e.zero_grad()
    opt_g.zero_grad()
    loss.backward()
    opt_e.step()
    opt_g.step()
""",
        """
for i in range(3):
    feature = E(real)
    score = D(feature)
    d_loss = score.mean() - D(real).mean()
    loss = G(feature[:, :3]).pow(2).mean() - score.mean()
    own(d_loss, D)
    own(loss, E, G)
    opt_d.step()
    opt_e.step()
    opt_g.step()
""",
    ),
    Pair(
        "shared-trunk-in-two-optimizers",
        SGD
        + """
opt_d = torch.optim.SGD([*E.parameters(), *D.parameters()], lr=0.1)
opt_g = torch.optim.SGD([*E.parameters(), *G.parameters()], lr=0.1)
""",
        """
for i in range(3):
    trunk = E(real)
    d_loss = D(trunk).pow(2).mean()
    g_loss = G(trunk[:, :3]).abs().mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
""",
        """
for i in range(3):
    trunk = E(real)
    d_loss = D(trunk).pow(2).mean()
    g_loss = G(trunk[:, :3]).abs().mean()
    d_own = torch.autograd.grad(d_loss, [*E.parameters(), *D.parameters()], retain_graph=True)
    own(g_loss, E, G)
    g_own = [p.grad.clone() for p in [*E.parameters(), *G.parameters()]]
    for p, g in zip([*E.parameters(), *D.parameters()], d_own):
        p.grad = g
    opt_d.step()
    for p, g in zip([*E.parameters(), *G.parameters()], g_own):
        p.grad = g
    opt_g.step()
""",
    ),
    Pair(
        "weights-clipped-behind-the-step-and-a-generator-that-waits",
        SGD,
        """
for i in range(4):
    fake = G(noise)
    score = D(fake)
    d_loss = score.mean() - D(real).mean()
    opt_d.zero_grad()
    d_loss.backward(retain_graph=True)
    nn.utils.clip_grad_value_(D.parameters(), 0.5)
    opt_d.step()
    for p in D.parameters():
        p.data.clamp_(-0.1, 0.1)
    if i % 2 == 0:
        g_loss = -score.mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
""",
        """
for i in range(4):
    fake = G(noise)
    score = D(fake)
    d_loss = score.mean() - D(real).mean()
    own(d_loss, D)
    nn.utils.clip_grad_value_(D.parameters(), 0.5)
    if i % 2 == 0:
        own(-score.mean(), G)
        opt_g.step()
    opt_d.step()
    for p in D.parameters():
        p.data.clamp_(-0.1, 0.1)
""",
    ),
    Pair(
        "optimizers-in-a-dict-and-a-score-of-two-losses",
        SGD,
        """
class Three:
    def __init__(self):
        self.opts = {"e": opt_e, "g": opt_g, "d": opt_d}

    def step(self, x):
        rec = G(E(x)[:, :3])
        score = D(rec)
        d_loss = score.sigmoid().mean() - D(x).sigmoid().mean()
        g_loss = (rec - x).pow(2).mean() - score.sigmoid().mean()
        self.opts["d"].zero_grad()
        d_loss.backward(retain_graph=True)
        self.opts["d"].step()
        self.opts["g"].zero_grad()
        g_loss.backward()
        self.opts["g"].step()


three = Three()
for i in range(3):
    three.step(real)
""",
        """
for i in range(3):
    rec = G(E(real)[:, :3])
    score = D(rec)
    d_loss = score.sigmoid().mean() - D(real).sigmoid().mean()
    g_loss = (rec - real).pow(2).mean() - score.sigmoid().mean()
    own(d_loss, D)
    own(g_loss, G)
    opt_d.step()
    opt_g.step()
""",
    ),
    Pair(
        "discriminator-frozen-by-a-helper",
        ADAM,
        """
class Gan:
    def set_requires_grad(self, nets, flag=False):
        for net in nets:
            for param in net.parameters():
                param.requires_grad = flag

    def update_d(self):
        opt_d.zero_grad()
        fake = self.fake.detach()
        self.d_loss = self.d(fake).mean() - self.d(real).mean()
        self.d_loss.backward()
        opt_d.step()

    def update_g(self):
        self.set_requires_grad([self.d], False)
        opt_g.zero_grad()
        self.g_loss = -self.d(self.fake).mean()
        self.g_loss.backward()
        opt_g.step()


gan = Gan()
gan.g, gan.d = G, D
for i in range(3):
    gan.fake = gan.g(noise)
    gan.update_d()
    gan.update_g()
""",
        ALTERNATING,
    ),
    Pair(
        "discriminator-frozen-in-the-loop",
        SGD,
        """
for i in range(3):
    fake = G(noise)
    D.requires_grad_(False)
    g_loss = -D(fake).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    old = fake.detach()
    d_loss = D(old).mean() - D(real).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
""",
        """
for i in range(3):
    fake = G(noise)
    own(-D(fake).mean(), G)
    opt_g.step()
    own(D(fake.detach()).mean() - D(real).mean(), D)
    opt_d.step()
""",
    ),
    Pair(
        "two-networks-that-learn-from-each-other",
        SGD,
        """
nets, optimizers = [E, G], [opt_e, opt_g]
for i in range(3):
    outs = [E(real), G(noise)]
    losses = []
    for own_index, out in enumerate(outs):
        loss = F.mse_loss(out, torch.ones(5, 4))
        for other_index in range(len(outs)):
            if own_index != other_index:
                loss = loss + F.mse_loss(out, outs[other_index])
        losses.append(loss)
    for optimizer, loss in zip(optimizers, losses):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
        """
for i in range(3):
    first, second = E(real), G(noise)
    between = F.mse_loss(first, second)
    own(F.mse_loss(first, torch.ones(5, 4)) + between, E)
    own(F.mse_loss(second, torch.ones(5, 4)) + between, G)
    opt_e.step()
    opt_g.step()
""",
    ),
]
