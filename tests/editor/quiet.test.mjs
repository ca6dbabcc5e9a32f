// What happens when there is little to go by: no Python in the workspace, no Python on the machine, no server inside.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { NODE, PACKAGE, ROOT, UNIVERSAL } from './lib/paths.mjs';
import { Session } from './lib/session.mjs';
import { makeWorkspace, until } from './lib/workspace.mjs';

const PROGRAM = 'import torch\n\nw = torch.ones(3, requires_grad=True)\nw += 1\n';

/** A folder with everything of the PATH that the editor needs, and no Python. */
function pathWithoutPython() {
  const folder = makeWorkspace({});
  for (const name of ['sh', 'bash', 'env', 'uname', 'ps', 'which', 'cat', 'sed', 'dirname', 'readlink', 'getconf', 'ldd', 'head', 'grep']) {
    const found = ['/usr/bin', '/bin'].map((place) => path.join(place, name)).find((file) => fs.existsSync(file));
    if (found) fs.symlinkSync(found, path.join(folder, name));
  }
  return [folder, path.dirname(NODE)].join(path.delimiter);
}

describe('a workspace without Python', () => {
  const session = new Session(() => ({ packages: [PACKAGE], machine: {} }));
  session.test('starts nothing', async () => {
    const folder = makeWorkspace({ 'notes.md': '# Notes\n', 'data.json': '{}\n' });
    const window = await session.open({ folder, file: path.join(folder, 'notes.md') });
    await window.page.waitForTimeout(5000);
    const started = session.editor.processes().map((args) => args.replaceAll(ROOT, '')); // which may be called autograd-hazards
    assert.deepEqual(started.filter((args) => /python|autograd/.test(args)), []);
    assert.equal(session.editor.log(), '', 'the extension was not even activated');
  });
});

describe('a machine without Python', () => {
  const session = new Session(() => ({ packages: [PACKAGE], machine: {}, env: { PATH: pathWithoutPython() } }));
  session.test('says so, with the remedy', async () => {
    const folder = makeWorkspace({ 'train.py': PROGRAM });
    const window = await session.open({ folder, file: path.join(folder, 'train.py') });
    const message = window.page.locator('.notification-toast', { hasText: 'needs Python 3.10 or newer' });
    await message.waitFor();
    await window.shot('no-python');
    await message.getByRole('button', { name: 'Select interpreter' }).click();
    await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Enter the path' }).click();
    await window.page.locator('.quick-input-widget', { hasText: 'Path of a Python' }).waitFor();
    await window.page.keyboard.type(process.env.PYTHON);
    await window.page.keyboard.press('Enter');
    await window.waitSquiggles(1);
  });
});

describe('a machine whose python3 is too old', () => {
  const folder = makeWorkspace({ python3: `#!/bin/sh\necho '{"executable": "/old/python3", "version": [3, 9, 18], "sitePackages": [], "server": null}'\n` });
  fs.chmodSync(path.join(folder, 'python3'), 0o755);
  const session = new Session(() => ({ packages: [PACKAGE], machine: {}, env: { PATH: `${folder}:${pathWithoutPython()}` } }));
  session.test('names what it found, and takes a newer one beside it', async () => {
    const workspace = makeWorkspace({ 'train.py': PROGRAM });
    const window = await session.open({ folder: workspace, file: path.join(workspace, 'train.py') });
    await window.page.locator('.notification-toast', { hasText: 'needs Python 3.10 or newer to run on; the newest found is Python 3.9.18 (/old/python3)' }).waitFor();
    await window.shot('too-old');
    assert.match(session.editor.log(), /Python 3\.9\.18/);
    fs.symlinkSync(process.env.PYTHON, path.join(folder, 'python3.10'));
    await window.command('Autograd Hazards: Restart Server');
    await window.waitSquiggles(1);
  });
});

describe('the universal package', () => {
  const session = new Session(() => ({ packages: [UNIVERSAL], machine: {}, env: { PATH: `${emptyPython()}:${pathWithoutPython()}` } }));
  session.test('asks for the server, and uses one that is installed', async () => {
    const folder = makeWorkspace({ 'train.py': PROGRAM });
    const window = await session.open({ folder, file: path.join(folder, 'train.py') });
    await window.page.locator('.notification-toast', { hasText: 'pip install autograd-hazards' }).waitFor();
    await window.shot('universal-without-server');
    await session.editor.change({ 'autogradHazards.interpreter': [process.env.PYTHON] });
    await window.waitSquiggles(1);
    await until(() => /starting the server \(environment/.test(session.editor.log()), 'the installed server');
  });
});

/** A folder with a python3 that has nothing installed. */
function emptyPython() {
  const folder = makeWorkspace({});
  execFileSync(process.env.PYTHON, ['-m', 'venv', '--without-pip', path.join(folder, 'env')]);
  return path.join(folder, 'env/bin');
}
