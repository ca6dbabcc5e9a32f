// A small extension for the tests: it changes settings when asked, since VS Code does not notice every change on disk.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { NODE, ROOT } from './paths.mjs';

// Runs in the extension host. Requests are files `N.json` in a folder; each is answered by `N.done`.
const MAIN = `
const fs = require('node:fs'), path = require('node:path'), vscode = require('vscode');
exports.activate = () => {
  const folder = process.env.EDITOR_TEST_REQUESTS;
  setInterval(async () => {
    for (const name of fs.readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const file = path.join(folder, name);
      const settings = JSON.parse(fs.readFileSync(file, 'utf8'));
      fs.rmSync(file);
      for (const [key, value] of Object.entries(settings)) await vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);
      fs.writeFileSync(file.replace('.json', '.done'), '');
    }
  }, 100);
};
`;
/** The package of the helper. */
export function helper() {
  const folder = path.join(ROOT, 'build/editor/helper');
  const file = path.join(folder, 'helper.vsix');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'main.js'), MAIN);
  fs.writeFileSync(path.join(folder, 'README.md'), 'For tests.\n');
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({
    name: 'test-helper', publisher: 'test', version: '1.0.0', engines: { vscode: '^1.100.0' }, license: 'MIT', main: './main.js',
    activationEvents: ['onStartupFinished'], extensionKind: ['workspace'], capabilities: { untrustedWorkspaces: { supported: true } },
  }));
  execFileSync(NODE, [path.join(ROOT, 'node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  return file;
}
