// A VS Code in Chinese: commands, findings, the light bulb, pages and the timeline.
import assert from 'node:assert/strict';
import path from 'node:path';
import { PACKAGE } from './lib/paths.mjs';
import { Session } from './lib/session.mjs';
import { lineOf, makeWorkspace } from './lib/workspace.mjs';

const session = new Session(() => ({ packages: [PACKAGE] }));
const folder = makeWorkspace({ inpainting_gan: null });
const file = path.join(folder, 'inpainting_gan/model.py');
const step = lineOf(file, 'self.dis_optimizer.step()');
const CHINESE = /[一-鿿]/;

session.test('findings are told in Chinese', async () => {
  const window = await session.open({ folder, file, line: step, language: 'zh-cn' });
  await window.waitSquiggles(1);
  const hover = await (await window.hover(step, 10)).innerText();
  assert.match(hover, CHINESE);
  await window.shot('chinese-1-hover');
  await window.page.keyboard.press('Escape');
  const offered = await window.lightBulb(step, 10);
  assert.ok(offered.every((title) => CHINESE.test(title)), JSON.stringify(offered));
  await window.shot('chinese-2-light-bulb');
});

session.test('so is the timeline', async () => {
  const window = session.window;
  await window.pick(/发生了什么|时间线/);
  const frame = await window.timeline();
  assert.match(await frame.locator('h1').innerText(), CHINESE);
  assert.deepEqual((await frame.locator('.event .role').allInnerTexts()).filter((text) => !CHINESE.test(text)), []);
  assert.equal(await frame.evaluate(() => document.documentElement.lang), 'zh-cn');
  await window.page.waitForTimeout(500);
  await window.shot('chinese-3-timeline');
});

session.test('so are commands', async () => {
  const window = session.window;
  await window.page.keyboard.press('F1');
  await window.page.keyboard.type('Autograd Hazards');
  await window.page.locator('.quick-input-list .monaco-list-row', { hasText: '重启服务器' }).first().waitFor();
  await window.shot('chinese-4-commands');
  await window.page.keyboard.press('Escape');
});
