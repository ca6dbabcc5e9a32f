/** Analyses every Python file and notebook of the workspace; what is found appears among the problems. */

import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { requireServer, type Services } from './services';

export async function checkAllFiles(services: Services): Promise<void> {
  const client = await requireServer(services);
  if (!client) return;
  // The server shows its own progress, with a button to cancel.
  await client.sendRequest(ExecuteCommandRequest.type, { command: 'autogradHazards.checkWorkspace', arguments: [] });
  // Not the command behind the keys: that one closes a view that is open already.
  await vscode.commands.executeCommand('workbench.panel.markers.view.focus');
}
