// A language pack without a single translation: it only makes VS Code say that its language is Chinese.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { NODE, ROOT } from './paths.mjs';

export function languagePack() {
  const folder = path.join(ROOT, 'build/editor/language-pack');
  const file = path.join(folder, 'pack.vsix');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(path.join(folder, 'translations'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'translations/main.i18n.json'), JSON.stringify({ '': ['--'], version: '1.0.0', contents: {} }));
  fs.writeFileSync(path.join(folder, 'README.md'), 'For tests.\n');
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({
    name: 'test-language-pack-zh-hans', publisher: 'test', version: '1.0.0', engines: { vscode: '^1.93.0' }, license: 'MIT', categories: ['Language Packs'],
    contributes: { localizations: [{ languageId: 'zh-cn', languageName: 'Chinese Simplified', localizedLanguageName: '中文(简体)', translations: [{ id: 'vscode', path: './translations/main.i18n.json' }] }] },
  }));
  execFileSync(NODE, [path.join(ROOT, 'node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  return file;
}
