/** Every string of the client and of the manifest has its Chinese, with the same placeholders, commands and code. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

const root = path.join(__dirname, '../..');
const read = (name: string): Record<string, string> => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8')) as Record<string, string>;

/** All texts that the client passes to `l10n.t`. */
function clientTexts(): Set<string> {
  const found = new Set<string>();
  for (const name of fs.readdirSync(path.join(root, 'client/src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const source = fs.readFileSync(path.join(root, 'client/src', name), 'utf8');
    const calls = source.match(/l10n\.t\(/g)?.length ?? 0;
    const texts = [...source.matchAll(/l10n\.t\('([^'\\]*)'/g)].map(([, text]) => text ?? '');
    assert.equal(texts.length, calls, `${name}: texts for l10n.t are plain literals in single quotes`);
    for (const text of texts) found.add(text);
  }
  return found;
}

/** What must stay as it is in a translation. */
function fixed(text: string): string[] {
  return [...text.matchAll(/\{\d+\}|`[^`]+`|\$\{\w+\}|\(command:[^)]*\)|AGH\d+/g)].map(([match]) => match).sort();
}

const hasChinese = (text: string): boolean => /[一-鿿]/.test(text);

test('the client speaks Chinese', () => {
  const chinese = read('client/l10n/bundle.l10n.zh-cn.json');
  assert.deepEqual(new Set(Object.keys(chinese)), clientTexts());
  for (const [english, text] of Object.entries(chinese)) {
    assert.deepEqual(fixed(text), fixed(english), english);
    assert.ok(hasChinese(text), english);
  }
});

test('the manifest speaks Chinese', () => {
  const english = read('package.nls.json');
  const chinese = read('package.nls.zh-cn.json');
  assert.deepEqual(Object.keys(chinese).sort(), Object.keys(english).sort());
  for (const [key, text] of Object.entries(english)) {
    const translated = chinese[key] ?? '';
    if (key.endsWith('.picture')) { // the file of one; it says in Chinese what the other says in English
      const [mine, other] = [text, translated].map((file) => fs.readFileSync(path.join(root, file), 'utf8'));
      assert.ok(mine !== undefined && other !== undefined && !hasChinese(mine) && hasChinese(other), key);
      continue;
    }
    assert.ok(hasChinese(translated), `${key} is not Chinese: ${translated}`);
    // A rule's sentence is its own in each language; everything else keeps its code and commands.
    if (!key.startsWith('rule.')) assert.deepEqual(fixed(translated), fixed(text), key);
  }
});

test('the manifest names only strings that there are, and all of them', () => {
  const manifest = fs.readFileSync(path.join(root, 'package.json'), 'utf8');
  const named = new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? ''));
  assert.deepEqual(named, new Set(Object.keys(read('package.nls.json'))));
});
