// Restricted Mode: the analysis works, and nothing that lies in the workspace is run.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PACKAGE, PYTHON } from './lib/paths.mjs';
import { Session } from './lib/session.mjs';
import { makeWorkspace, until } from './lib/workspace.mjs';

const marker = path.join(os.tmpdir(), `trap-${process.pid}`);
const trap = `#!/bin/sh\ntouch ${marker}\nexec ${PYTHON} "$@"\n`;
// No interpreter is configured: it is looked for, and the workspace offers its own.
const session = new Session(() => ({
  packages: [PACKAGE], trust: true, machine: {}, env: { PATH: `${path.dirname(PYTHON)}:${process.env.PATH}` },
}));

session.test('an untrusted workspace', async () => {
  const folder = makeWorkspace({
    'train.py': 'import torch\n\nw = torch.ones(3, requires_grad=True)\nw += 1\n',
    '.venv/bin/python': trap,
    '.vscode/settings.json': JSON.stringify({ 'autogradHazards.interpreter': ['${workspaceFolder}/.venv/bin/python'], 'autogradHazards.path': ['${workspaceFolder}/.venv/bin/python'] }),
  });
  fs.chmodSync(path.join(folder, '.venv/bin/python'), 0o755);
  const window = await session.open({ folder, file: path.join(folder, 'train.py') });
  await window.page.locator('.monaco-dialog-box').getByRole('button', { name: /No/ }).click();
  await window.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
  await window.waitSquiggles(1);
  await window.shot('restricted-mode');
  assert.ok(!fs.existsSync(marker), 'the interpreter of the workspace was run');
  assert.match(session.editor.log(), /is left alone: the workspace is not trusted/);
  await window.page.keyboard.press('F1');
  await window.page.keyboard.type('Autograd Hazards: Run This Script');
  await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Explain a Traceback' }).waitFor(); // similar ones
  assert.equal(await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Run This Script' }).count(), 0);
  await window.page.keyboard.press('Escape');

  await window.command('Workspaces: Manage Workspace Trust');
  await window.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
  await until(() => fs.existsSync(marker), 'the interpreter of the workspace, once it is trusted');
  fs.rmSync(marker, { force: true });
});
