/** A small program with a hazard, to try the extension on. */

import * as vscode from 'vscode';

// Torch stops at the second backward: the step has changed the weights that it needs.
const PROGRAM = `import torch
from torch import nn

critic = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
maker = nn.Linear(4, 8)
critic_optimizer = torch.optim.Adam(critic.parameters())
maker_optimizer = torch.optim.Adam(maker.parameters())

for samples in torch.randn(10, 32, 8):
    made = maker(torch.randn(32, 4))
    critic_loss = critic(made.detach()).mean() - critic(samples).mean()
    maker_loss = -critic(made).mean()

    critic_optimizer.zero_grad()
    critic_loss.backward()
    critic_optimizer.step()

    maker_optimizer.zero_grad()
    maker_loss.backward()
    maker_optimizer.step()
`;

export async function openExample(): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'python', content: PROGRAM }));
}
