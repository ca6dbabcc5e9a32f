// A window of VS Code in a browser, driven as a person would: keys, the mouse, and eyes that wait.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { chromiumPath, DRIVER, SHOTS } from './paths.mjs';

const { chromium } = createRequire(path.join(DRIVER, 'x.js'))('playwright-core');
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const PATIENCE = Number(process.env.PATIENCE ?? 60) * 1000;
const EDITOR = '.editor-instance .monaco-editor';
const PICKER = '.quick-input-widget';

export function openBrowser() {
  return chromium.launch({ executablePath: chromiumPath(), args: FLAGS });
}

export class Window {
  /** Opens a folder (or a `.code-workspace` of folders), with a file in it (an absolute path) if one is named, at a line of it; `language` is VS Code's (default: English). */
  static async open(browser, editor, { folder, file, line, language }) {
    const context = await browser.newContext({
      viewport: { width: 1360, height: 850 }, reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'],
    });
    const window = new Window();
    // VS Code takes its language from the bundle of its messages: here the English one says that it is another.
    if (language) await context.addInitScript((language) => Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => language, set() {} }), language);
    window.page = await context.newPage();
    window.page.setDefaultTimeout(PATIENCE);
    window.foreign = [];
    window.errors = [];
    const home = new URL(editor.base).host;
    context.on('request', (request) => {
      const url = new URL(request.url());
      // A page's own files come through VS Code's service worker, which makes up a host for them.
      const own = url.host === home || url.host.endsWith('.vscode-resource.vscode-cdn.net');
      if (/^(http|ws)/.test(url.protocol) && !own) window.foreign.push(request.url());
    });
    window.page.on('console', (message) => {
      if (message.type() === 'error') window.errors.push(message.text());
    });
    const target = line ? [['openFile', `vscode-remote://${home}${file}:${line}:1`], ['gotoLineMode', 'true']] : [['openFile', `vscode-remote://${home}${file}`]];
    const payload = file ? `&payload=${encodeURIComponent(JSON.stringify(target))}` : '';
    const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await window.page.goto(`${editor.base}/?${kind}=${encodeURIComponent(folder)}${payload}`, { waitUntil: 'domcontentloaded' });
    await window.page.locator('.monaco-workbench').waitFor();
    if (file) await window.page.locator(`${EDITOR} .view-line`).first().waitFor();
    return window;
  }

  squiggles(kind) {
    return this.page.locator(`.monaco-editor .squiggly-${kind}`);
  }

  /** Waits until so many squiggles of a kind (`error`, `warning`, `info`) are on the screen. */
  async waitSquiggles(count, kind = 'error') {
    await this.page.waitForFunction(
      ([count, kind]) => document.querySelectorAll(`.monaco-editor .squiggly-${kind}`).length === count, [count, kind],
    );
  }

  /** The text of the lines on which squiggles of a kind lie. */
  squiggledLines(kind = 'error') {
    return this.page.evaluate((kind) => {
      const lines = [...document.querySelectorAll('.monaco-editor .view-lines .view-line')];
      return [...document.querySelectorAll(`.monaco-editor .squiggly-${kind}`)].map((mark) => {
        const y = mark.getBoundingClientRect().top;
        const away = (line) => Math.abs(line.getBoundingClientRect().top - y);
        const line = lines.reduce((best, line) => (!best || away(line) < away(best) ? line : best), undefined);
        return line ? line.textContent.replace(/\u00a0/g, ' ').trim() : '';
      });
    }, kind);
  }

  /** Brings up a file: by its tab, else from the Explorer. */
  async openFile(name) {
    const tab = this.page.locator('.tabs-container .tab', { hasText: name });
    if (await tab.count()) await tab.first().click();
    else await this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    await this.page.locator(`${EDITOR}.focused`).waitFor();
  }

  /** Closes a tab by the mouse; a page inside would take the keys for itself. */
  async closeTab(name) {
    const tab = this.page.locator('.tabs-container .tab', { hasText: name }).first();
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
  }

  /** Puts the cursor at a line and column through Go to Line. */
  async goto(line, column = 1) {
    await this.page.keyboard.press('Control+G');
    await this.page.locator(`${PICKER} input`).first().waitFor();
    await this.page.keyboard.type(`${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await this.atLine(line);
    await this.page.locator(PICKER).waitFor({ state: 'hidden' });
    await this.page.locator(`${EDITOR}.focused`).waitFor(); // else the next key is lost
  }

  /** Waits until the cursor is on a line, as the status bar says. */
  async atLine(line) {
    await this.page.locator('.statusbar-item', { hasText: new RegExp(`(Ln|行) ?${line}\\b`) }).waitFor();
  }

  /** The hover at a place, by the keyboard, once nothing is loading and its text has settled. */
  async hover(line, column) {
    await this.goto(line, column);
    await this.page.keyboard.press('Control+K');
    await this.page.keyboard.press('Control+I');
    await this.page.waitForFunction(() => {
      const hover = [...document.querySelectorAll('.monaco-hover')].find((element) => element.offsetParent);
      const text = hover?.innerText.trim();
      if (!text || /Loading|正在加载/.test(text)) { window.settled = undefined; return false; }
      if (window.settled?.text !== text) { window.settled = { text, at: performance.now() }; return false; }
      return performance.now() - window.settled.at > 250;
    });
    return this.page.locator('.monaco-hover').filter({ visible: true }).first();
  }

  /** The titles in the light bulb's menu at a place. The menu stays open for `pick`. */
  async lightBulb(line, column) {
    await this.goto(line, column);
    const rows = this.page.locator('.action-widget .monaco-list-row.action');
    for (let attempt = 0; ; attempt++) { // a key can be lost while the workbench is busy
      await this.page.keyboard.press('Control+.');
      try {
        await rows.first().waitFor({ timeout: 15_000 });
        break;
      } catch (error) {
        if (attempt === 3) throw error;
      }
    }
    return rows.allInnerTexts();
  }

  /** Chooses from the light bulb's menu by the keyboard. */
  async pick(title) {
    const focused = this.page.locator('.action-widget .monaco-list-row.action.focused');
    const count = await this.page.locator('.action-widget .monaco-list-row.action').count();
    for (let step = 0; step <= count; step++) {
      if (await focused.count() && title.test(await focused.first().innerText())) {
        await this.page.keyboard.press('Enter');
        await this.page.locator('.action-widget').first().waitFor({ state: 'hidden' });
        return;
      }
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`the light bulb does not offer ${title}`);
  }

  /** Runs a command from the palette by its title. */
  async command(title) {
    await this.page.keyboard.press('F1');
    await this.page.locator(`${PICKER} input`).first().waitFor();
    await this.page.keyboard.type(title);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
  }

  /** The text in the visible editors' lines, from the top. */
  async text() {
    return this.page.evaluate(() => [...document.querySelectorAll('.editor-instance .monaco-editor .view-lines .view-line')]
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((line) => line.textContent.replace(/\u00a0/g, ' ')).join('\n'));
  }

  /** The rows of the Problems panel, related places included. */
  async problems() {
    await this.page.keyboard.press('Control+Shift+M');
    const rows = this.page.locator('.markers-panel .monaco-list-row');
    await rows.first().waitFor();
    return rows;
  }

  /** Waits until the Problems panel has a row with a text in a file; only what passes the filter is sure to be drawn. */
  async problem(file, text) {
    const filter = this.page.locator('.panel input[placeholder^="Filter"]').first();
    if (!(await filter.isVisible())) await this.page.keyboard.press('Control+Shift+M');
    await filter.fill(file);
    await this.page.locator('.markers-panel .monaco-list-row', { hasText: text }).first().waitFor();
    await filter.fill('');
  }

  async save() {
    await this.page.keyboard.press('Control+S');
    await this.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  }

  /** The page inside the timeline's panel. */
  async timeline() {
    await this.page.locator('iframe.webview.ready').first().waitFor();
    for (const end = Date.now() + PATIENCE; Date.now() < end;) {
      for (const frame of this.page.frames()) {
        try {
          if (await frame.locator('#timeline .event').count()) return frame;
        } catch (error) {
          if (!/detached|closed|destroyed/i.test(error.message)) throw error; // a frame that is being replaced
        }
      }
      await this.page.waitForTimeout(100);
    }
    throw new Error('the timeline did not appear');
  }

  async shot(name) {
    fs.mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
  }

  /** Leaves the page first, so that the extension host ends at once. */
  async close() {
    await this.page.goto('about:blank').catch((error) => console.log(`leaving: ${error.message}`));
    await this.page.context().close();
  }
}
