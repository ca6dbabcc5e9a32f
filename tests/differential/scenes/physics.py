"""Physics-informed networks: derivatives of the network's output, several losses, boundary terms."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import optimizer


def equation(a: Author) -> None:
    """A residual of derivatives."""
    create = a.either("create_graph=True", ("create_graph=True", "retain_graph=True", "create_graph=False"))
    a.define(f"""
        def derivative(u, x, order=1):
            for _ in range(order):
                u = torch.autograd.grad(u, x, {a.one("grad_outputs=torch.ones_like(u)", "torch.ones_like(u)")}, {create}{a.maybe(0.3, ", retain_graph=True" if "retain" not in create else "")})[0]
            return u
        """)
    a.code(f"""
        net = nn.Sequential(nn.Linear(2, 4), {a.one("nn.Tanh()", "nn.Tanh()", "nn.Sigmoid()", "nn.Softplus()", "nn.ReLU()")}, nn.Linear(4, 1))
        nu = {a.one("0.1", "nn.Parameter(torch.tensor(0.1))")}
        opt = {optimizer(a, "list(net.parameters())")}
        x = torch.rand(4, 1{a.one(", requires_grad=True", ", requires_grad=True", "")})
        t = torch.rand(4, 1, requires_grad=True)
        {a.one("", "x.requires_grad_()", "x = x.clone().requires_grad_()" if a.careful() else "x = x * 2")}
        for step in range(2):
            u = net(torch.cat([x, t], dim=1))
            {a.either(("u = u * x", "pass"), ("u *= x", "u.mul_(2.0)", "pass"))}
            u_t = derivative(u, t)
            u_x = derivative(u, x)
            u_xx = {a.one("derivative(u_x, x)", "derivative(u, x, order=2)", "torch.autograd.grad(u_x.sum(), x, create_graph=True)[0]")}
            f = u_t + u * u_x - nu * u_xx
            loss_f = {a.one("(f ** 2).mean()", "F.mse_loss(f, torch.zeros_like(f))", "f.pow(2).mean()")}
            loss_b = {a.one("net(torch.cat([torch.zeros(4, 1), t], 1)).pow(2).mean()", "(u[0] - 1.0).pow(2).mean()", "u.pow(2).mean()")}
            opt.zero_grad()
            {a.either("(loss_f + loss_b).backward()", ("loss_f.backward()" + chr(10) + "loss_b.backward()", "loss_f.backward(retain_graph=True)" + chr(10) + "loss_b.backward()", "loss_b.backward(retain_graph=True)" + chr(10) + "opt.step()" + chr(10) + "loss_f.backward()"))}
            opt.step()
        """)


def fitted(a: Author) -> None:
    """A class that fits by a closure and saves its residuals."""
    first = a.one("u.sum(), x", "u, x, torch.ones_like(u)")
    a.define(f"""
        class Pinn:
            def __init__(self, net):
                self.net, self.iter = net, 0
                self.x = torch.linspace(0, 1, 4).view(-1, 1){a.one("", ".requires_grad_()", ".requires_grad_()")}
                self.opt = {a.one("torch.optim.LBFGS(net.parameters(), max_iter=2)", "torch.optim.Adam(net.parameters())", "torch.optim.SGD(net.parameters(), lr=0.1)")}
            def residual(self, x):
                x = {a.one("x", "x.requires_grad_(True)", "x.detach().clone().requires_grad_()")}
                u = self.net(x)
                du = torch.autograd.grad({first}, create_graph={a.either("True", "False")})[0]
                {a.maybe(0.5, "ddu = torch.autograd.grad(du.sum(), x, create_graph=True)[0]" + chr(10) + "du = du + ddu")}
                return {a.one("du - u", "du - u.detach()", "du + u * du")}
            def closure(self):
                self.opt.zero_grad()
                {a.either("res = self.residual(self.x)", "res = self.res = getattr(self, 'res', None) if hasattr(self, 'res') else self.residual(self.x)")}
                loss = {a.one("res.pow(2).mean()", "torch.mean(res ** 2) + (self.net(self.x[:1]) - 1).pow(2).sum()")}
                loss.backward()
                self.iter += 1
                return loss
            def fit(self, count):
                for _ in range(count):
                    self.opt.step(self.closure)
        """)
    a.code(f"""
        model = Pinn(nn.Sequential(nn.Linear(1, 4), {a.one("nn.Tanh()", "nn.SiLU()", "nn.Softplus()")}, nn.Linear(4, 1)))
        model.fit({a.one("1", "2")})
        {a.either("", "model.residual(model.x).sum().backward(); model.residual(torch.zeros(4, 1)).numpy()")}
        """)


def energy(a: Author) -> None:
    """Forces are gradients of an energy, and are compared with targets (Hamiltonian networks, force fields)."""
    a.code(f"""
        net = nn.Sequential(nn.Linear(4, 4), {a.one("nn.Tanh()", "nn.Softplus()", "nn.ReLU()")}, nn.Linear(4, 1))
        opt = {optimizer(a, "net.parameters()")}
        J = torch.tensor([[0.0, 0, 1, 0], [0, 0, 0, 1], [-1, 0, 0, 0], [0, -1, 0, 0]])
        q = torch.randn(4, 4)
        for step in range(2):
            {a.either("q = q.detach().requires_grad_(True)", ("q.requires_grad_(True)", "q = q + 0.0"))}
            energy = net(q).sum()
            force = -torch.autograd.grad(energy, q, {a.either("create_graph=True", ("create_graph=False", "retain_graph=True", "create_graph=True"))})[0]
            loss = F.mse_loss(force {a.one("@ J", "", "@ J.t()")}, torch.zeros(4, 4)) + {a.one("energy.pow(2)", "0.0", "energy")}
            opt.zero_grad()
            loss.backward()
            opt.step()
            {a.one("q = q + 0.1 * force", "q = (q + 0.1 * force).detach()", "with torch.no_grad():" + chr(10) + "    q += 0.1 * force", "q.data += 0.1 * force.detach()", "q += 0.1 * force" if not a.careful() else "q = q.data")}
        """)


SCENES = (equation, fitted, energy)
