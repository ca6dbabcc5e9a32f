// Workspaces of several folders, and a folder that is opened by another name than its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PACKAGE, PYTHON, ROOT } from './lib/paths.mjs';
import { Session } from './lib/session.mjs';
import { makeWorkspace, until } from './lib/workspace.mjs';

const session = new Session(() => ({ packages: [PACKAGE] }));
const MAIN = 'import torch\nfrom helper import grow\n\nh = torch.exp(torch.ones(3, requires_grad=True))\nh = grow(h)\nh.sum().backward()\n';
const LEAF = 'import torch\n\nw = torch.ones(3, requires_grad=True)\nw += 1\n';

session.test('each folder of a workspace has its own modules and its own configuration', async () => {
  const root = makeWorkspace({
    'both.code-workspace': JSON.stringify({ folders: [{ path: 'one' }, { path: '第二个 (2)' }] }),
    'one/helper.py': 'def grow(x):\n    return x.add_(1)\n',
    'one/main.py': MAIN,
    'one/leaf.py': LEAF,
    '第二个 (2)/helper.py': 'def grow(x):\n    return x + 1\n',
    '第二个 (2)/other.py': MAIN,
    '第二个 (2)/leaf.py': LEAF,
    '第二个 (2)/pyproject.toml': '[tool.autograd-hazards]\nignore = ["AGH302"]\n',
  });
  const window = await session.open({ folder: path.join(root, 'both.code-workspace'), file: path.join(root, 'one/main.py') });
  const rows = await window.problems();
  await rows.filter({ hasText: 'AGH301' }).first().waitFor();
  await window.command('Autograd Hazards: Check the Whole Workspace');
  await window.problem('helper', 'AGH301');
  await window.problem('leaf', 'AGH302');
  await window.shot('folders');
  const seen = await rows.allInnerTexts();
  assert.equal(seen.filter((text) => text.includes('AGH302')).length, 1, seen.join('\n'));
  assert.ok(!seen.some((text) => text.includes('第二个')), seen.join('\n'));
  assert.equal(session.editor.processes().filter((args) => args.includes('autograd_hazards_bundled.py')).length, 1, 'one server for all folders');
});

session.test('a folder opened through a link shows what a run by its real name has met, and its other files', async () => {
  const root = makeWorkspace({
    '真实/helper.py': 'def name():\n    return open("made.txt").read()  # what cannot be known without running\n',
    '真实/made.txt': 'mul_',
    '真实/main.py': 'import torch\nfrom helper import name\n\nh = torch.sigmoid(torch.ones(3, requires_grad=True))\ngetattr(h, name())(2)\nh.sum().backward()\n',
  });
  const real = path.join(root, '真实');
  fs.symlinkSync(real, path.join(root, 'link'));
  const window = await session.open({ folder: path.join(root, 'link'), file: path.join(root, 'link/main.py'), line: 5 });
  await until(() => session.editor.log().split('the server answers').length > 2, 'the server');
  const run = () => execFileSync(PYTHON, ['-m', 'autograd_hazards', 'run', path.join(real, 'main.py')], { cwd: real, env: { ...process.env, PYTHONPATH: path.join(ROOT, 'server') }, stdio: 'ignore' });
  assert.throws(run, 'torch refuses it');
  await window.waitSquiggles(1);
  assert.match((await window.squiggledLines())[0], /^getattr/);
  await window.shot('through-a-link');
  await window.goto(1, 1);
  await window.page.keyboard.type('# a line above\n');
  await window.goto(6, 1);
  await until(async () => (await window.squiggledLines())[0]?.startsWith('getattr'), 'the squiggle at its line');
  await window.save();
});
