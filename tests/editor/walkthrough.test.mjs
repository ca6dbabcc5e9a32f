// The walkthrough, as a newcomer follows it: the example, then from the walkthrough's own page what happened in it.
import assert from 'node:assert/strict';
import { PACKAGE } from './lib/paths.mjs';
import { Session } from './lib/session.mjs';
import { makeWorkspace } from './lib/workspace.mjs';

const session = new Session(() => ({ packages: [PACKAGE] }));
const PICKER = '.quick-input-list .monaco-list-row';

session.test('leads from the example to its story', async () => {
  const window = await session.open({ folder: makeWorkspace({ 'notes.md': '# Notes\n' }) });
  const { page } = window;
  await window.command('Welcome: Open Walkthrough');
  await page.locator(PICKER, { hasText: 'Find autograd hazards' }).first().click();
  const steps = page.locator('.gettingStartedDetailsContent .getting-started-step');
  await steps.first().waitFor();
  await window.shot('walkthrough-1');
  assert.equal(await steps.count(), 5);

  await steps.nth(0).getByRole('button', { name: 'Open an Example Program' }).click();
  await window.waitSquiggles(1);
  assert.deepEqual(await window.squiggledLines(), ['critic_optimizer.step()']);
  await window.shot('walkthrough-2-example');

  await page.locator('.tabs-container .tab', { hasText: /Welcome|Walkthrough/ }).first().click();
  await steps.nth(1).click();
  await steps.nth(1).getByRole('button', { name: 'Show What Happened' }).click();
  const frame = await window.timeline();
  assert.match(await frame.locator('h1').innerText(), /This steps between/);
  await window.shot('walkthrough-3-timeline');
});
