/** What commands work with. */

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Pages } from '../pages';
import type { Server } from '../server';
import type { TimelinePanel } from '../timeline/panel';

export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  readonly pages: Pages;
  readonly timeline: TimelinePanel;
}

/** The running server; when there is none, says so and gives undefined. */
export async function requireServer({ server }: Services): Promise<LanguageClient | undefined> {
  const client = await server.ready();
  // Without a Python the reason and its remedy are already on the screen.
  if (!client && server.situation.kind !== 'none') {
    const logs = vscode.l10n.t('Open logs');
    void vscode.window.showErrorMessage(vscode.l10n.t('The server is not running.'), logs).then((answer) => {
      if (answer === logs) void vscode.commands.executeCommand('autogradHazards.showLogs');
    });
  }
  return client;
}

/** Runs a job that may take a while, with progress in the status bar. */
export function withProgress<T>(title: string, job: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, job);
}
