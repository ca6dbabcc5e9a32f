/** The extension's entrance: puts the parts together and starts the server when there is Python to look at. */

import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { onChange } from './environments';
import { trackFindings } from './findings';
import { Pages } from './pages';
import { Server } from './server';
import { needsRestart } from './settings';
import { createStatus, warnWithoutPython } from './status';
import { TimelinePanel } from './timeline/panel';

/** What the extension exports, for tests. */
export interface Api {
  readonly server: Server;
  readonly timeline: TimelinePanel;
  /** How long activation took, in milliseconds. */
  readonly activationMilliseconds: number;
}

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const begun = performance.now();
  const log = vscode.window.createOutputChannel('Autograd Hazards', { log: true });
  const running = new Server(context.extensionUri, log, context.workspaceState);
  server = running;
  const pages = new Pages();
  const timeline = new TimelinePanel(context.extensionUri, running, log);
  context.subscriptions.push(log, running, pages, timeline, createStatus(running), warnWithoutPython(running), trackFindings());
  registerCommands(context, { context, server: running, log, pages, timeline });

  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.languageId === 'python') void running.start();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (running.situation.kind !== 'stopped' && needsRestart(change)) void running.restart();
    }),
    followEnvironments(running, log),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (running.situation.kind !== 'stopped') void running.restart();
    }),
  );
  if (vscode.workspace.textDocuments.some((document) => document.languageId === 'python')) {
    void running.start();
  }
  const activationMilliseconds = performance.now() - begun;
  log.info(`activated in ${activationMilliseconds.toFixed(0)} ms`);
  return { server: running, timeline, activationMilliseconds };
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}

/** Looks again when another interpreter is chosen in the Python extensions; nobody is asked before the first start. */
function followEnvironments(running: Server, log: vscode.LogOutputChannel): vscode.Disposable {
  const followed: vscode.Disposable[] = [];
  const first = running.onDidChange((situation) => {
    if (situation.kind === 'stopped') return;
    first.dispose();
    void onChange(() => void running.refresh()).then(
      (disposable) => followed.push(disposable),
      (error: unknown) => log.warn(`changes of the Python environment are not followed: ${String(error)}`),
    );
  });
  return new vscode.Disposable(() => vscode.Disposable.from(first, ...followed).dispose());
}
