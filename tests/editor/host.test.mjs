// Runs host/index.cjs with mocha inside the extension host of the real VS Code.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { format } from 'node:util';
import { Editor } from './lib/editor.mjs';
import { DRIVER, PACKAGE, PYTHON, ROOT } from './lib/paths.mjs';
import { makeWorkspace } from './lib/workspace.mjs';
import { openBrowser } from './lib/window.mjs';

test('inside the extension host', async () => {
  const editor = await Editor.start({
    packages: [PACKAGE], machine: { 'autogradHazards.interpreter': [PYTHON] }, env: { EDITOR_TEST_MOCHA: path.join(DRIVER, 'mocha') },
  });
  const browser = await openBrowser();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1360, height: 850 } })).newPage();
    let finish;
    const finished = new Promise((resolve) => { finish = resolve; });
    await page.exposeFunction('codeAutomationExit', (code) => finish(code));
    await page.exposeFunction('codeAutomationLog', (type, args) => {
      const text = format(...args);
      if (/✔|^\s+\d+\)|passing|failing|Error|activation:|findings/.test(text)) console.log(text); // VS Code has its say, too
    });
    // A built VS Code takes tests from the address only with this switch, which is in the page it is served by.
    await page.addInitScript(() => {
      const getElementById = Document.prototype.getElementById;
      Document.prototype.getElementById = function (id) {
        const element = getElementById.call(this, id);
        if (id === 'vscode-workbench-web-configuration' && element && !element.dataset.patched) {
          element.dataset.patched = '1';
          const configuration = JSON.parse(element.getAttribute('data-settings'));
          configuration.developmentOptions = { ...configuration.developmentOptions, enableSmokeTestDriver: true };
          element.setAttribute('data-settings', JSON.stringify(configuration));
        }
        return element;
      };
    });
    const remote = (file) => `vscode-remote://${new URL(editor.base).host}${file}`;
    const payload = [
      ['extensionDevelopmentPath', remote(path.join(ROOT, 'tests/editor/host'))],
      ['extensionTestsPath', remote(path.join(ROOT, 'tests/editor/host/index.cjs'))],
      ['skipWelcome', 'true'],
    ];
    const folder = makeWorkspace({ 'notes.md': '# Notes\n' });
    await page.goto(`${editor.base}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
    const timeout = setTimeout(() => finish('timeout'), 400_000);
    const code = await finished;
    clearTimeout(timeout);
    await page.goto('about:blank');
    if (code !== 0) console.log(editor.log());
    assert.equal(code, 0);
  } finally {
    await browser.close();
    await editor.stop();
  }
});
