/** What commands work with. */

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Pages } from '../pages';
import type { Server } from '../server';
import { offerLogs } from '../status';
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
  // Where a start has failed, the reason is already on the screen.
  if (!client && server.situation.kind === 'stopped') offerLogs(vscode.l10n.t('The server is not running.'));
  return client;
}

/** Runs a job that may take a while, with progress in the status bar. */
export function withProgress<T>(title: string, job: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, job);
}
