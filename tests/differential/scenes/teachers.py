"""Teachers: distillation, mean teachers, self-supervision with stopped gradients, pseudo labels, contrastive pairs."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import backward, change, net, optimizer


def distilled(a: Author) -> None:
    """A student learns from what a teacher says, frozen or trained along."""
    said = a.either(
        ("with torch.no_grad():\n    goal = teacher(x)", "goal = teacher(x).detach()"),
        ("goal = teacher(x)", "goal = teacher(x).data", "goal = teacher(x)"),
    )
    a.code(f"""
        teacher, student = {net(a)}, {net(a)}
        {a.maybe(0.4, "teacher.eval()")}
        {a.maybe(0.3, "teacher.requires_grad_(False)")}
        opt = {optimizer(a, a.pick(("student.parameters()", "[*student.parameters(), *teacher.parameters()]")))}
        cache = {{}}
        for epoch in range(2):
            for index in range(2):
                x = torch.ones(4, 4) * index
                if {a.either("True", ("index not in cache", "True"))}:
                    {said}
                    cache[index] = goal
                goal = cache[index]
                out = student(x)
                {change(a, "out", 0.2)}
                loss = {a.one("F.kl_div(F.log_softmax(out / 2, dim=1), F.softmax(goal / 2, dim=1), reduction='batchmean') * 4", "F.mse_loss(out, goal)", "-(goal.softmax(1) * out.log_softmax(1)).sum(1).mean()")}
                opt.zero_grad()
                {backward(a)}
                opt.step()
        """)


def stopped(a: Author) -> None:
    """BYOL, SimSiam, DINO: two views, gradients stopped on one side, a moving center."""
    a.define(f"""
        def distance(p, z):
            z = {a.either("z.detach()", ("z", "z.detach()"))}
            p, z = F.normalize(p, dim=1), F.normalize(z, dim=1)
            return {a.one("-(p * z).sum(dim=1).mean()", "2 - 2 * (p * z).sum(-1).mean()", "-F.cosine_similarity(p, z, dim=1).mean()")}
        class Center(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("center", torch.zeros(1, 4))
            def forward(self, student, teacher):
                goal = F.softmax((teacher - self.center) / 0.1, dim=-1){a.either(".detach()", "")}
                loss = torch.sum(-goal * F.log_softmax(student, dim=-1), dim=-1).mean()
                self.update(teacher)
                return loss
            {a.either("@torch.no_grad()", "")}
            def update(self, teacher):
                self.center = self.center * 0.9 + teacher.mean(0, keepdim=True) * 0.1
        """)
    a.code(f"""
        online, predictor = {net(a)}, nn.Linear(4, 4)
        target = copy.deepcopy(online)
        center = Center()
        opt = {optimizer(a, "[*online.parameters(), *predictor.parameters()]")}
        for step in range(2):
            views = [torch.randn(4, 4), torch.randn(4, 4)]
            ps = [predictor(online(v)) for v in views]
            {a.either("with torch.no_grad():" + chr(10) + "    zs = [target(v) for v in views]", "zs = [target(v) for v in views]")}
            {change(a, "zs[0]", 0.1)}
            loss = {a.one("distance(ps[0], zs[1]) + distance(ps[1], zs[0])", "sum(center(p, z) for p, z in zip(ps, reversed(zs)))", "center(torch.cat(ps), torch.cat(zs))")}
            opt.zero_grad()
            loss.backward()
            opt.step()
            with torch.no_grad():
                for p, q in zip(online.parameters(), target.parameters()):
                    {a.one("q.data = q.data * 0.9 + p.data * 0.1", "q.mul_(0.9).add_((1 - 0.9) * p.detach().data)", "q.copy_(q * 0.9 + p * 0.1)")}
            {a.either("", ("zs[0].sum().backward()", "loss.backward()"))}
        """)


def contrastive(a: Author) -> None:
    """SimCLR and triplets: similarity matrices masked in place, hard negatives, memory of features."""
    masked = a.either(
        ("sim = sim.masked_fill(mask, -9.0)", "sim = sim - 9.0 * mask"),
        ("sim.masked_fill_(mask, -9.0)", "sim[mask] = -9.0", "sim.fill_diagonal_(-9.0)", "sim.diagonal().zero_()"),
    )
    a.code(f"""
        net = {net(a)}
        opt = {optimizer(a, "net.parameters()")}
        bank = {a.one("torch.zeros(4, 4)", "[]")}
        mask = torch.eye(4, dtype=torch.bool)
        for step in range(2):
            z = net(torch.randn(4, 4))
            z = {a.one("F.normalize(z, dim=1)", "z / z.norm(dim=1, keepdim=True)", "z")}
            {a.maybe(0.1, "z /= 2.0") if not a.careful() else ""}
            sim = {a.one("z @ z.t()", "torch.mm(z, z.T)", "torch.matmul(z, z.t())")} / 0.5
            {a.maybe(0.5, "sim = sim.exp()")}
            {masked}
            loss = {a.one("F.cross_entropy(sim, torch.arange(4).roll(1))", "-torch.log(sim.diagonal(1).exp().sum() / sim.exp().sum())", "sim.max(dim=1)[0].mean()", "F.triplet_margin_loss(z, z.roll(1, 0), z.flip(0))")}
            if isinstance(bank, list):
                loss = loss + sum((z - old).pow(2).mean() for old in bank)
                bank.append({a.either(("z.detach()", "z.data.clone()"), "z")})
            else:
                loss = loss + (z * bank).mean()
                {a.either("bank = 0.5 * bank + 0.5 * z.detach()", ("bank = 0.5 * bank + 0.5 * z", "bank += z", "bank.mul_(0.5).add_(z.detach())"))}
            opt.zero_grad()
            loss.backward()
            opt.step()
        """)


SCENES = (distilled, stopped, contrastive)
