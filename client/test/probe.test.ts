import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { environmentPython, liesIn } from '../src/launch';
import { onPath, parseAnswer, probe } from '../src/probe';

test('asks a real Python', async () => {
  const file = onPath('python3') ?? onPath('python');
  assert.ok(file, 'a Python is on the PATH');
  const found = await probe([file], 'path');
  assert.equal(found.version[0], 3);
  assert.ok(path.isAbsolute(found.path));
  assert.ok(found.sitePackages.some((folder) => /site-packages|dist-packages/.test(folder)));
});

test('says which autograd-hazards is installed', async () => {
  const python = onPath('python3') ?? onPath('python');
  assert.ok(python);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'environment-'));
  execFileSync(python, ['-m', 'venv', '--without-pip', folder]);
  const file = environmentPython(folder, process.platform);
  const before = await probe([file], 'venv');
  assert.equal(before.server, null);
  const [packages] = before.sitePackages;
  assert.ok(packages !== undefined && liesIn(fs.realpathSync(packages), [fs.realpathSync(folder)]));
  fs.mkdirSync(path.join(packages, 'autograd_hazards-9.8.7.dist-info'));
  assert.equal((await probe([file], 'venv')).server, '9.8.7');
  fs.rmSync(folder, { recursive: true });
});

test('what is no Python is refused with its own words', async () => {
  await assert.rejects(probe(['/does/not/exist'], 'setting'), /ENOENT/);
  await assert.rejects(probe([process.execPath], 'setting'));
  await assert.rejects(probe([], 'setting'), /no interpreter/);
});

test('answers that are none are refused', () => {
  assert.throws(() => parseAnswer('hello', 'path'));
  assert.throws(() => parseAnswer('{"executable": "/p", "version": [3], "sitePackages": []}', 'path'), /as a Python does/);
  assert.deepEqual(parseAnswer('{"executable": "/p", "version": [3, 12, 1], "sitePackages": ["/s"], "server": null}', 'venv'), {
    path: '/p', source: 'venv', version: [3, 12, 1], sitePackages: ['/s'], server: null,
  });
});

test('relative entries of the PATH are left out', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'path-'));
  fs.writeFileSync(path.join(folder, 'tool'), '');
  assert.equal(onPath('tool', { PATH: ['.', 'bin', folder].join(path.delimiter) }, 'linux'), path.join(folder, 'tool'));
  assert.equal(onPath('other', { PATH: folder }, 'linux'), null);
  fs.rmSync(folder, { recursive: true });
});
