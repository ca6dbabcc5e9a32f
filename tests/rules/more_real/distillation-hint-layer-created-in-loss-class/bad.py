import torch
import torch.nn as nn


class HintLoss(nn.Module):
    """Regress the student's features onto the teacher's through a learned projection."""

    def __init__(self, s_dim, t_dim):
        super().__init__()
        self.proj = nn.Linear(s_dim, t_dim)

    def forward(self, fs, ft):
        return nn.functional.mse_loss(self.proj(fs), ft.detach())


class Net(nn.Module):
    def __init__(self, hid):
        super().__init__()
        self.stem, self.head = nn.Linear(4, hid), nn.Linear(hid, 2)

    def forward(self, x):
        f = self.stem(x).relu()
        return f, self.head(f)


def main():
    torch.manual_seed(0)
    student, teacher = Net(6), Net(12).eval().requires_grad_(False)
    criteria = nn.ModuleList([nn.CrossEntropyLoss(), HintLoss(6, 12)])
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    w = criteria[1].proj.weight.detach().clone()
    for _ in range(2):
        x, y = torch.randn(5, 4), torch.randint(0, 2, (5,))
        fs, logits = student(x)
        ft, _ = teacher(x)
        ce, hint = criteria
        loss = ce(logits, y) + 10 * hint(fs, ft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print('HAZARD-OBSERVED' if torch.equal(w, criteria[1].proj.weight) else 'OK')


main()
