// Workspaces to open: copies of the examples, and small programs of the tests' own.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PYTHON, ROOT } from './paths.mjs';

export const EXAMPLES = path.join(ROOT, 'examples');

/** A folder with these files: `{name: text}`, a text of null copies the example of that name. */
export function makeWorkspace(files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'workspace-'));
  for (const [name, text] of Object.entries(files)) {
    const target = path.join(folder, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    if (text === null) fs.cpSync(path.join(EXAMPLES, name), target, { recursive: true });
    else fs.writeFileSync(target, text);
  }
  return folder;
}

/** The number (from 1) of the first line of a file that holds a text. */
export function lineOf(file, text) {
  const index = fs.readFileSync(file, 'utf8').split('\n').findIndex((line) => line.includes(text));
  if (index < 0) throw new Error(`${file} has no ${text}`);
  return index + 1;
}

/** Runs a program under torch; throws, with what it printed, when it fails. */
export function runUnderTorch(file) {
  return execFileSync(PYTHON, [file], { cwd: path.dirname(file), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
}

/** A virtual environment that says it has this torch: files only, there is nothing to import. */
export function fakeEnvironment(folder, torch) {
  execFileSync(PYTHON, ['-m', 'venv', '--without-pip', folder]);
  const [lib] = fs.readdirSync(path.join(folder, 'lib'));
  const packages = path.join(folder, 'lib', lib, 'site-packages');
  fs.mkdirSync(path.join(packages, `torch-${torch}.dist-info`));
  fs.writeFileSync(path.join(packages, `torch-${torch}.dist-info`, 'METADATA'), `Metadata-Version: 2.1\nName: torch\nVersion: ${torch}\n`);
  fs.mkdirSync(path.join(packages, 'torch'));
  fs.writeFileSync(path.join(packages, 'torch', 'version.py'), `__version__ = '${torch}'\n`);
  fs.writeFileSync(path.join(packages, 'torch', '__init__.py'), 'raise SystemExit("torch was imported")\n');
  return path.join(folder, 'bin', 'python');
}

/** Calls until the answer is true-ish and gives it; throws with the last answer when that takes too long. */
export async function until(ask, what, patience = 60_000) {
  for (const end = Date.now() + patience; ;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
