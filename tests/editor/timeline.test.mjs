// The timeline panel: what it draws, how it is reached, walked and read; themes; nothing fetched.
import assert from 'node:assert/strict';
import path from 'node:path';
import { PACKAGE } from './lib/paths.mjs';
import { Session } from './lib/session.mjs';
import { lineOf, makeWorkspace, until } from './lib/workspace.mjs';

const session = new Session(() => ({ packages: [PACKAGE], settings: { 'workbench.colorTheme': 'Default Dark Modern' } }));
const folder = makeWorkspace({ inpainting_gan: null });
const file = path.join(folder, 'inpainting_gan/model.py');
const step = lineOf(file, 'self.dis_optimizer.step()');
let frame;

session.test('the light bulb opens the story of the finding', async () => {
  const window = await session.open({ folder, file, line: step });
  await window.waitSquiggles(1);
  const offered = await window.lightBulb(step, 10);
  assert.ok(offered.some((title) => /what happened|timeline/i.test(title)), JSON.stringify(offered));
  await window.pick(/what happened|timeline/i);
  frame = await window.timeline();
  assert.match(await frame.locator('h1').innerText(), /weight|step/);
  const roles = await frame.locator('.event .role').allInnerTexts();
  assert.ok(roles.includes('saved for backward') && roles.includes('changed'), JSON.stringify(roles));
  const order = ['saved for backward', 'changed'].map((role) => roles.indexOf(role));
  assert.ok(order[0] < order[1], JSON.stringify(roles));
  assert.ok((await frame.locator('.event .place').allInnerTexts()).some((place) => place === `model.py:${step}`));
  await window.page.waitForTimeout(500);
  await window.shot('timeline-1-dark');
});

session.test('it draws a lane for each thing and a marker for each event', async () => {
  const lanes = await frame.locator('.lanes li').count();
  const events = await frame.locator('.event').count();
  assert.ok(lanes > 0 && events > 2);
  assert.equal(await frame.locator('svg .lane-head').count(), lanes);
  const calls = await frame.locator('.event.role-called').count(); // those say how the event above them was reached
  assert.ok(calls > 0 && await frame.locator('.events > li').count() === events - calls);
  assert.equal(await frame.locator('svg .marker').count(), events - calls);
  assert.ok(await frame.locator('svg path.lane-held').count() > 0, 'what is held until the backward');
  assert.ok(await frame.locator('svg path.lane-changed').count() > 0, 'from the change on');
  const beside = await frame.evaluate(() => {
    const markers = [...document.querySelectorAll('svg .marker')].map((marker) => marker.getBoundingClientRect());
    return [...document.querySelectorAll('.event:not(.role-called)')].every((event, index) => {
      const box = event.getBoundingClientRect();
      const middle = (markers[index].top + markers[index].bottom) / 2;
      return box.top <= middle && middle <= box.bottom;
    });
  });
  assert.ok(beside, 'each marker lies beside its event');
});

session.test('it can be walked by keys and read aloud', async () => {
  const window = session.window;
  await frame.locator('.event').first().focus();
  await window.page.keyboard.press('ArrowDown');
  assert.equal(await frame.evaluate(() => document.activeElement?.getAttribute('data-event')), '1');
  await window.page.keyboard.press('End');
  const last = await frame.locator('.event').count() - 1;
  assert.equal(await frame.evaluate(() => document.activeElement?.getAttribute('data-event')), String(last));
  assert.equal(await frame.locator('.event[tabindex="0"]').count(), 1);
  assert.ok(await frame.locator('ol[aria-label]').count() === 1 && await frame.locator('ul[aria-label]').count() === 1);
  assert.equal(await frame.locator('svg[aria-hidden="true"]').count(), 1);
  assert.equal(await frame.locator('h1').count(), 1);
  assert.equal(await frame.evaluate(() => document.documentElement.lang), 'en');
});

session.test('an event leads to its line, over files', async () => {
  const window = session.window;
  const event = frame.locator('.event', { hasText: 'train.py' }).first();
  const place = await event.locator('.place').innerText();
  await event.click();
  await window.page.locator('.tab.active', { hasText: 'train.py' }).waitFor();
  await window.atLine(Number(place.split(':')[1]));
  await frame.locator('.event .place', { hasText: `model.py:${step}` }).first().focus();
  await frame.locator('.event', { hasText: `model.py:${step}` }).first().press('Enter');
  await window.page.locator('.tab.active', { hasText: 'model.py' }).waitFor();
  await window.atLine(step);
});

for (const [name, theme] of [['2-light', 'Default Light Modern'], ['3-high-contrast', 'Default High Contrast'], ['4-high-contrast-light', 'Default High Contrast Light']]) {
  session.test(`it can be read in ${theme}`, async () => {
    await session.editor.change({ 'workbench.colorTheme': theme });
    const kind = theme.includes('High') ? 'vscode-high-contrast' : 'vscode-light';
    await until(() => frame.evaluate((kind) => document.body.classList.contains(kind), kind), `the theme ${theme}`);
    await session.window.page.waitForTimeout(700);
    await session.window.shot(`timeline-${name}`);
    const contrast = await frame.evaluate(() => {
      const channels = (colour) => (/rgba?\(([^)]*)\)/.exec(colour)?.[1] ?? '0,0,0,0').split(',').map(Number);
      const light = (rgb) => {
        const [r, g, b] = rgb.map((value) => { const s = value / 255; return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      // What is seen behind an element: its own background over that of what holds it.
      const behind = (element) => {
        if (!element) return [255, 255, 255];
        const [r, g, b, alpha = 1] = channels(getComputedStyle(element).backgroundColor);
        if (alpha === 1) return [r, g, b];
        const under = behind(element.parentElement);
        return [r, g, b].map((value, i) => value * alpha + under[i] * (1 - alpha));
      };
      const ratio = (element) => {
        const [front, back] = [light(channels(getComputedStyle(element).color).slice(0, 3)), light(behind(element))];
        return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
      };
      return Math.min(...[...document.querySelectorAll('.text, h1, .place, .event .lane, .source, code')].map(ratio));
    });
    assert.ok(contrast >= 3, `contrast ${contrast.toFixed(2)}`);
  });
}

session.test('after an edit it follows; when the finding is gone it says so', async () => {
  const window = session.window;
  await window.goto(step, 9);
  await window.page.keyboard.type('# ');
  await frame.locator('.gone', { hasText: 'no longer' }).waitFor();
  await window.shot('timeline-5-gone');
  for (let undone = 0; undone < 2; undone++) await window.page.keyboard.press('Control+Z'); // a space begins a new step
  await frame.locator('.gone:empty').waitFor({ state: 'attached' });
});

session.test('nothing is fetched and nothing breaks the content security policy', async () => {
  assert.deepEqual(session.window.foreign, []);
  assert.deepEqual(session.window.errors.filter((text) => /Content Security Policy|Refused to/i.test(text) && /timeline/.test(text)), []);
  const policy = await frame.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy, /^default-src 'none';/);
  assert.match(policy, /script-src 'nonce-/);
});
