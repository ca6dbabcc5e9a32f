"""Recurrent networks: carried states, truncation, packed states, decoders that eat their own output."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import backward, change, loss, net, optimizer


def truncated(a: Author) -> None:
    """Language-model training: an LSTM, its state carried from batch to batch, repackaged."""
    a.define(f"""
        def repackage(h):
            if isinstance(h, torch.Tensor):
                return {a.either(("h.detach()", "h.data", "h.clone().detach()"), ("h", "h.clone()", "h.detach()"))}
            return {a.one("tuple(repackage(v) for v in h)", "tuple(map(repackage, h))", "[repackage(v) for v in h]" if a.chance(0.1) else "tuple([repackage(v) for v in h])")}
        class Model(nn.Module):
            def __init__(self, kind="LSTM"):
                super().__init__()
                self.kind = kind
                self.rnn = getattr(nn, kind)(4, 4, num_layers={a.one("1", "2")}, batch_first=True{a.maybe(0.2, ", dropout=0.0")})
                self.out = {net(a)}
            def init_hidden(self, size):
                weight = next(self.parameters())
                zeros = lambda: {a.one("weight.new_zeros(self.rnn.num_layers, size, 4)", "torch.zeros(self.rnn.num_layers, size, 4)", "weight.data.new(self.rnn.num_layers, size, 4).zero_()")}
                return (zeros(), zeros()) if self.kind == "LSTM" else zeros()
            def forward(self, x, hidden):
                y, hidden = self.rnn(x, hidden)
                y = y.reshape(-1, 4)
                {change(a, "y", 0.2)}
                return self.out(y), hidden
        """)
    a.code(f"""
        model = Model({a.one("", "'LSTM'", "'GRU'", "kind='RNN'")})
        opt = {optimizer(a, "model.parameters()")}
        hidden = model.init_hidden(2)
        losses, every = [], {a.one("1", "2")}
        for step, x in enumerate(torch.randn(4, 2, 2, 4)):
            {a.either("hidden = repackage(hidden)", ("pass", "hidden = repackage(hidden)", "if step % every == 0:" + chr(10) + "    hidden = repackage(hidden)"))}
            out, hidden = model(x, hidden)
            loss = {loss(a, "out", "torch.zeros(4, 4)")}
            {a.either("loss.backward()", ("losses.append(loss)", "loss.backward(retain_graph=True)", "loss.backward()"))}
            if losses and (step + 1) % every == 0:
                sum(losses).backward()
                losses = []
            {a.maybe(0.5, "nn.utils.clip_grad_norm_(model.parameters(), 0.25)")}
            opt.step()
            opt.zero_grad()
        """)


def decoder(a: Author) -> None:
    """A sequence decoded step by step with its own output or the truth, with attention over what was read."""
    a.code(f"""
        cell, enc, proj = {a.one("nn.LSTMCell(4, 4)", "nn.LSTMCell(4, 4)", "nn.GRUCell(4, 4)")}, nn.GRU(4, 4), {net(a)}
        opt = {optimizer(a, "[*cell.parameters(), *enc.parameters(), *proj.parameters()]")}
        teacher = {a.one("True", "False")}
        for step in range(2):
            x, y = torch.randn(3, 4, 4), torch.randn(3, 4, 4)
            memory, state = enc(x)
            state = state[0]
            {change(a, "state", 0.15)}
            carried = (state, {a.one("torch.zeros(4, 4)", "torch.zeros_like(state)", "state")})
            token, outputs, loss = torch.zeros(4, 4), {a.one("[]", "torch.zeros(3, 4, 4)")}, 0
            for t in range(3):
                result = cell(token, carried if isinstance(cell, nn.LSTMCell) else carried[0])
                carried = result if isinstance(result, tuple) else (result, carried[1])
                h = carried[0]
                weights = F.softmax((memory * h).sum(-1), dim=0)
                out = proj(h + (weights.unsqueeze(-1) * memory).sum(0))
                {change(a, "out", 0.2)}
                if isinstance(outputs, list):
                    outputs.append(out)
                else:
                    outputs[t] = out
                loss {a.one("+=", "= loss +")} {loss(a, "out", "y[t]")}
                token = y[t] if teacher else out{a.one(".detach()", "")}
            opt.zero_grad()
            {a.either("loss.backward()", ("F.mse_loss(torch.stack(list(outputs)), y).backward()" + chr(10) + "loss.backward()", "(loss / 3).backward(retain_graph=True)"))}
            opt.step()
        """)


def stateful(a: Author) -> None:
    """A module that keeps its state itself, with a reset that may be forgotten."""
    a.define(f"""
        class Stateful(nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = {a.one("nn.GRUCell(4, 4)", "nn.RNNCell(4, 4)")}
                {a.one("self.h = None", "self.h = torch.zeros(4, 4)", "self.register_buffer('h', torch.zeros(4, 4))")}
                self.trace = {a.one("[]", "deque(maxlen=2)")}
            def reset(self, keep=True):
                {a.either("self.h = self.h.detach() if keep and self.h is not None else None", ("self.h = self.h if keep else None", "self.h = None"))}
                self.trace.clear()
            def forward(self, xs):
                for x in xs:
                    if self.h is None:
                        self.h = torch.zeros(4, 4)
                    {a.one("self.h = self.cell(x, self.h)", "self.h = self.cell(x, self.h)", "self.h = 0.9 * self.h + 0.1 * self.cell(x, self.h)")}
                    {a.maybe(0.15, "self.h += x") if not a.careful() else ""}
                    self.trace.append(self.h)
                return {a.one("self.h", "torch.stack(tuple(self.trace)).mean(0)", "self.trace[-1]", "sum(self.trace)")}
        """)
    a.code(f"""
        net = Stateful()
        opt = {optimizer(a, "net.parameters()")}
        for step in range({a.one("2", "3")}):
            {a.either("net.reset()", ("net.reset(keep=False)", "net.reset()", "pass"))}
            out = net(torch.randn(2, 4, 4){a.one("", ".unbind(0)")})
            loss = {loss(a, "out", "torch.zeros(4, 4)")}
            opt.zero_grad()
            {backward(a)}
            opt.step()
        """)


SCENES = (truncated, decoder, stateful)
