// A real VS Code (code-server) with the package installed, in folders of its own that go with it.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { helper } from './helper.mjs';
import { ENTRY, NODE } from './paths.mjs';

const QUIET = {
  'telemetry.telemetryLevel': 'off', 'update.mode': 'none', 'extensions.autoUpdate': false, 'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true, 'workbench.enableExperiments': false, 'workbench.startupEditor': 'none', 'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'chat.disableAIFeatures': true, 'git.enabled': false, 'editor.minimap.enabled': false,
  'editor.hover.delay': 100, 'files.autoSave': 'off', 'window.restoreWindows': 'none', 'workbench.editor.restoreViewState': false,
  'editor.occurrencesHighlight': 'off', 'editor.cursorBlinking': 'solid', 'workbench.reduceMotion': 'on', 'security.workspace.trust.untrustedFiles': 'open',
};

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export class Editor {
  /**
   * Installs the packages and starts. `settings` are the user's, `machine` those of scope machine (they count only
   * there); `trust` switches workspace trust on, with its question; `env` is added to the environment.
   */
  static async start({ packages, settings = {}, machine = {}, trust = false, env = {}, args = [] }) {
    const editor = new Editor();
    editor.root = fs.mkdtempSync(path.join(os.tmpdir(), 'editor-'));
    editor.data = path.join(editor.root, 'data');
    editor.requests = path.join(editor.root, 'requests');
    fs.mkdirSync(editor.requests);
    editor.userSettings = { ...QUIET, 'security.workspace.trust.enabled': trust, 'security.workspace.trust.startupPrompt': 'always', ...settings };
    editor.machineSettings = machine;
    editor.writeSettings();
    fs.writeFileSync(path.join(editor.root, 'config.yaml'), 'auth: none\n');
    const places = ['--config', path.join(editor.root, 'config.yaml'), '--user-data-dir', editor.data, '--extensions-dir', path.join(editor.root, 'extensions')];
    const home = path.join(editor.root, 'home');
    editor.env = { ...process.env, EXTENSIONS_GALLERY: '{}', XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, EDITOR_TEST_REQUESTS: editor.requests };
    for (const name of Object.keys(editor.env)) if (/^(VSCODE_|ELECTRON_|NODE_TEST)/.test(name)) delete editor.env[name];
    // As from a terminal: otherwise VS Code takes the PATH that a login shell would have.
    Object.assign(editor.env, { VSCODE_CLI: '1' }, env);
    for (const file of [helper(), ...packages]) {
      execFileSync(NODE, [ENTRY, ...places, '--install-extension', file], { env: editor.env, stdio: ['ignore', 'pipe', 'pipe'] });
    }
    const port = await freePort();
    editor.base = `http://127.0.0.1:${port}`;
    const log = fs.openSync(path.join(editor.root, 'server.log'), 'w');
    // Detached: its process group ends with it, extension hosts and language servers included.
    editor.child = spawn(
      NODE,
      [
        ENTRY, ...places, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry', '--disable-update-check',
        '--disable-getting-started-override', ...(trust ? [] : ['--disable-workspace-trust']), ...args,
      ],
      { env: editor.env, detached: true, stdio: ['ignore', log, log] },
    );
    await editor.answers();
    return editor;
  }

  async answers() {
    for (let attempt = 0; attempt < 600; attempt++) {
      try {
        if ((await fetch(`${this.base}/healthz`)).ok) return;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // not yet listening
      }
      if (this.child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`code-server did not start: ${fs.readFileSync(path.join(this.root, 'server.log'), 'utf8')}`);
  }

  writeSettings() {
    for (const [folder, settings] of [['User', this.userSettings], ['Machine', this.machineSettings]]) {
      fs.mkdirSync(path.join(this.data, folder), { recursive: true });
      fs.writeFileSync(path.join(this.data, folder, 'settings.json'), JSON.stringify(settings, null, 1));
    }
  }

  /** Changes settings in the running VS Code, by the helper. */
  async change(settings) {
    this.asked = (this.asked ?? 0) + 1;
    const file = path.join(this.requests, `${this.asked}.json`);
    fs.writeFileSync(`${file}.tmp`, JSON.stringify(settings));
    fs.renameSync(`${file}.tmp`, file);
    for (const end = Date.now() + 30_000; !fs.existsSync(file.replace('.json', '.done'));) {
      if (Date.now() > end) throw new Error(`the helper did not change ${JSON.stringify(settings)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The extension's log, from all windows so far. */
  log(name = 'Autograd Hazards') {
    if (!fs.existsSync(path.join(this.data, 'logs'))) return ''; // the oldest has no logs: its logger is not built
    const files = fs.readdirSync(path.join(this.data, 'logs'), { recursive: true }).filter((file) => file.endsWith(`${name}.log`));
    return files.map((file) => fs.readFileSync(path.join(this.data, 'logs', file), 'utf8')).join('');
  }

  /** The command lines of all processes below this editor. */
  processes() {
    const parents = new Map();
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
    const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).filter(Boolean).map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args }));
    for (const { pid, parent } of all) parents.set(pid, parent);
    const below = (pid) => pid === this.child.pid || (parents.has(pid) && pid > 1 && below(parents.get(pid)));
    return all.filter(({ pid }) => below(pid)).map(({ args }) => args);
  }

  async stop() {
    const ended = new Promise((resolve) => {
      if (this.child.exitCode !== null || this.child.signalCode) resolve();
      this.child.once('exit', resolve);
      setTimeout(resolve, 5000).unref();
    });
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      try {
        process.kill(-this.child.pid, signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error; // it has ended already
      }
      if (signal === 'SIGTERM') await ended;
    }
    fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}
