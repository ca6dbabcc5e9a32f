// Commands, status, settings and interpreters, in one window.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PACKAGE, PYTHON } from './lib/paths.mjs';
import { Session } from './lib/session.mjs';
import { fakeEnvironment, lineOf, makeWorkspace, until } from './lib/workspace.mjs';

const session = new Session(() => ({ packages: [PACKAGE] }));
const folder = makeWorkspace({ 'stateful_rnn.py': null });
const file = path.join(folder, 'stateful_rnn.py');
const line = lineOf(file, 'outputs, self.state = self.rnn');
const starts = () => session.editor.log().split('the server answers').length - 1;

/** Opens the language status and gives its text; a move of the mouse closes it. */
async function status(window) {
  await window.page.mouse.move(600, 300);
  await window.page.locator('[id="status.languageStatus"]').hover();
  const hover = window.page.locator('.hover-language-status');
  await hover.first().waitFor();
  return (await hover.allInnerTexts()).join('\n');
}

session.test('the status shows the torch of the environment', async () => {
  const window = await session.open({ folder, file, line });
  await window.waitSquiggles(1);
  const text = await status(window);
  assert.match(text, /torch 2\.\d+/);
  assert.match(text, /Open logs/);
  await window.shot('status');
  await window.page.mouse.move(600, 300);
});

session.test('opening another file: the squiggle within 3 seconds', async () => {
  const window = session.window;
  fs.writeFileSync(path.join(folder, 'second.py'), 'import torch\n\nw = torch.ones(3, requires_grad=True)\nw += 1\n');
  await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'second.py' }).first().waitFor();
  await window.openFile('second.py');
  const seen = Date.now();
  await window.waitSquiggles(1);
  const took = Date.now() - seen;
  console.log(`first squiggle of another file after ${took} ms`);
  assert.ok(took < 3000, `${took} ms`);
  await window.openFile('stateful_rnn.py');
  await window.waitSquiggles(1);
});

session.test('a restart brings the findings back', async () => {
  const before = starts();
  await session.window.command('Autograd Hazards: Restart Server');
  await until(() => starts() > before, 'a new server');
  await session.window.waitSquiggles(1);
});

session.test('a server that dies is started again', async () => {
  const before = starts();
  const servers = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n').filter((text) => text.includes(session.editor.root) && text.includes('autograd_hazards_bundled.py'));
  assert.equal(servers.length, 1);
  process.kill(Number(servers[0].trim().split(/\s+/)[0]), 'SIGKILL');
  await until(() => starts() > before, 'a new server');
  await session.window.waitSquiggles(1);
});

session.test('settings count at once', async () => {
  const window = session.window;
  const before = starts();
  await session.editor.change({ 'autogradHazards.severity': { AGH103: 'warning' } });
  await window.waitSquiggles(1, 'warning');
  await window.waitSquiggles(0, 'error');
  await session.editor.change({ 'autogradHazards.severity': {}, 'autogradHazards.ignore': ['AGH1'] });
  await window.waitSquiggles(0, 'warning');
  await window.waitSquiggles(0, 'error');
  await session.editor.change({ 'autogradHazards.ignore': [] });
  await window.waitSquiggles(1, 'error');
  await session.editor.change({ 'autogradHazards.enable': false });
  await window.waitSquiggles(0, 'error');
  await session.editor.change({ 'autogradHazards.enable': true });
  await window.waitSquiggles(1, 'error');
  assert.equal(starts(), before, 'without a restart');
});

session.test('another interpreter brings another torch', async () => {
  const window = session.window;
  const before = starts();
  const python = fakeEnvironment(path.join(session.editor.root, 'old-environment'), '2.4.1');
  await session.editor.change({ 'autogradHazards.interpreter': [python] });
  await until(() => starts() > before, 'a new server');
  await window.waitSquiggles(1);
  await until(async () => /torch 2\.4/.test(await status(window)), 'torch 2.4 in the status');
  await session.editor.change({ 'autogradHazards.interpreter': [PYTHON] });
  await until(() => starts() > before + 1, 'the old interpreter');
  await window.waitSquiggles(1);
});

session.test('a server that cannot be started: one sentence, and the findings are back once it can', async () => {
  const window = session.window;
  await session.editor.change({ 'autogradHazards.path': ['/does/not/exist'] });
  await window.page.locator('.notification-toast', { hasText: 'Autograd Hazards could not be started: there is no /does/not/exist.' }).first().waitFor();
  await window.shot('not-started');
  assert.equal(await window.page.locator('.notification-toast', { hasText: /create connection|ENOENT/ }).count(), 0);
  await session.editor.change({ 'autogradHazards.path': [] });
  await window.waitSquiggles(1);
  await window.command('Notifications: Clear All Notifications');
});

session.test('the page of a rule, without a network', async () => {
  const window = session.window;
  await window.lightBulb(line, 20);
  await window.pick(/About AGH103/);
  await window.page.locator('.tab', { hasText: 'AGH103' }).first().waitFor();
  const preview = await until(async () => {
    for (const frame of window.page.frames()) {
      try {
        if (await frame.locator('h1', { hasText: 'AGH103' }).count()) return frame;
      } catch (error) {
        if (!/detached|closed|destroyed/i.test(error.message)) throw error;
      }
    }
    return undefined;
  }, 'the page of AGH103');
  assert.match(await preview.locator('body').innerText(), /What it does/);
  await window.shot('rule-page');
  assert.deepEqual(window.foreign, []);
  await window.closeTab('AGH103');
});

session.test('a click on the code of a problem opens that page, too', async () => {
  const window = session.window;
  const rows = await window.problems();
  await rows.filter({ hasText: 'AGH103' }).first().locator('a', { hasText: 'AGH103' }).click();
  await window.page.locator('.tab', { hasText: 'Preview AGH103' }).first().waitFor();
  await window.closeTab('AGH103');
});

session.test('a pasted traceback is explained', async () => {
  const window = session.window;
  const traceback = `Traceback (most recent call last):\n  File "${file}", line ${lineOf(file, 'loss.backward()')}, in train\n    loss.backward()\nRuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed).\n`;
  await window.page.evaluate((text) => navigator.clipboard.writeText(text), traceback);
  await window.command('Autograd Hazards: Explain a Traceback');
  await window.page.locator('.tab', { hasText: 'Explanation' }).first().waitFor();
  const preview = await until(async () => {
    for (const frame of window.page.frames()) {
      try {
        if (/AGH103|state/.test(await frame.locator('body').innerText({ timeout: 1000 })) && frame !== window.page.mainFrame()) return frame;
      } catch (error) {
        if (!/detached|closed|destroyed|Timeout/i.test(error.message)) throw error;
      }
    }
    return undefined;
  }, 'the explanation');
  await window.shot('explanation');
  assert.match(await preview.locator('body').innerText(), /stateful_rnn\.py|self\.state/);
});

session.test('the whole workspace is checked', async () => {
  fs.writeFileSync(path.join(folder, 'unopened.py'), 'import torch\n\nw = torch.ones(3, requires_grad=True)\nw += 1\n');
  await session.window.command('Autograd Hazards: Check the Whole Workspace');
  await session.window.page.locator('.markers-panel').waitFor(); // the command brings it up
  await session.window.problem('unopened', 'AGH302');
  await session.window.shot('whole-workspace');
});

session.test('what a run under the witness saw stands among the problems, as long as its record is there', async () => {
  const window = session.window;
  fs.writeFileSync(path.join(folder, 'witnessed.py'), 'import torch\n\nw = torch.ones(3, requires_grad=True)\nh = torch.sigmoid(w)\nopen("made.txt", "w").write("mul_")\nname = open("made.txt").read()  # what cannot be known without running\ngetattr(h, name)(2)\nh.sum().backward()\n');
  await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'witnessed.py' }).first().waitFor();
  await window.openFile('witnessed.py');
  await window.command('Autograd Hazards: Run This Script and Watch Autograd');
  await window.page.locator('.panel .terminal-wrapper.active').waitFor(); // it takes the place of the problems
  await window.problem('witnessed', 'AGH301');
  const marked = async () => (await window.squiggledLines()).some((line) => line.startsWith('getattr'));
  await until(marked, 'the squiggle');
  await window.shot('witness');
  const { findings } = JSON.parse(fs.readFileSync(path.join(folder, '.autograd-hazards/last-run.json'), 'utf8'));
  assert.deepEqual(findings.map(({ code, location }) => [code, location.row]), [['AGH301', 7]]);
  fs.rmSync(path.join(folder, '.autograd-hazards'), { recursive: true });
  await until(async () => !(await marked()), 'the squiggle to go');
});

session.test('logs and debug information', async () => {
  const window = session.window;
  await window.command('Autograd Hazards: Show Logs');
  if (process.env.EDITION !== 'oldest') { // its logger is not built
    const filter = window.page.locator('.panel input[placeholder^="Filter"]').filter({ visible: true }).first();
    const line = window.page.locator('.output-view .view-line', { hasText: 'the server answers after' }).first();
    await until(async () => { // a long log is not drawn in full; a filter that comes before the log hides all of it
      await filter.fill('');
      await window.page.waitForTimeout(500);
      await filter.fill('the server answers');
      await window.page.waitForTimeout(1000);
      return line.isVisible();
    }, 'the line of the log');
    await filter.fill('');
  }
  await window.command('Autograd Hazards: Show Debug Information');
  await window.page.locator('.editor-instance .view-line', { hasText: 'Interpreters, in the order of preference' }).first().waitFor();
  await window.shot('debug-information');
  const text = await window.text();
  assert.match(text, /Python 3|3\.\d+\.\d+/);
});

session.test('a window that comes back starts the server on the Python it had, and asks afterwards', async () => {
  const windows = () => session.editor.log().split(/^(?=.*activated in)/m).sort();
  const before = windows().length;
  await session.window.page.reload();
  await session.window.waitSquiggles(1);
  const log = await until(() => windows().length > before && /Python 3/.test(windows().at(-1)) && windows().at(-1), 'its log');
  assert.ok(log.indexOf('starting the server') < log.indexOf('Python 3'), log);
  assert.equal(log.split('the server answers').length, 2, 'one start: the Python is the same');
});
