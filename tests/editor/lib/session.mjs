// One editor and one browser for a file of tests; each test that fails leaves a picture.
import { after, before, test } from 'node:test';
import fs from 'node:fs';
import { Editor } from './editor.mjs';
import { PYTHON } from './paths.mjs';
import { openBrowser, Window } from './window.mjs';

export class Session {
  constructor(options) {
    before(async () => {
      this.editor = await Editor.start({ machine: { 'autogradHazards.interpreter': [PYTHON] }, ...options() });
      this.browser = await openBrowser();
    });
    after(async () => {
      await this.window?.close();
      await this.browser?.close();
      await this.editor?.stop();
      for (const folder of this.folders) fs.rmSync(folder, { recursive: true, force: true });
    });
    this.folders = [];
  }

  /** Opens a window in place of the last one; the folder goes with the session. */
  async open(options) {
    await this.window?.close();
    if (!this.folders.includes(options.folder)) this.folders.push(options.folder);
    this.window = await Window.open(this.browser, this.editor, options);
    return this.window;
  }

  /** A test, with a picture and the extension's log when it fails. */
  test(name, run) {
    test(name, async (context) => {
      try {
        await run(context);
      } catch (error) {
        await this.window?.shot(`failed-${name.replace(/\W+/g, '-')}`).catch((reason) => console.log(`no picture: ${reason.message}`));
        console.log(`log of the extension:\n${this.editor?.log().split('\n').slice(-Number(process.env.LOG_LINES ?? 12)).join('\n')}`);
        throw error;
      }
    });
  }
}
