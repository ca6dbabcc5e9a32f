/** Runs the active script in the user's Python with the witness, in a terminal; what it sees comes back as findings. */

import * as vscode from 'vscode';
import { DidChangeWatchedFilesNotification, FileChangeType } from 'vscode-languageclient/node';
import { requireServer, type Services } from './services';

export async function runWithWitness(services: Services): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'python' || document.uri.scheme !== 'file') {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open the script to run first.'));
    return;
  }
  const client = await requireServer(services);
  if (!client) return;
  const python = services.server.lastStart?.interpreters[0];
  if (!python || !(await document.save())) return;
  const bundled = services.server.bundled();
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const home = vscode.Uri.joinPath(document.uri, '..');
  const args = [...(bundled === null ? ['-m', 'autograd_hazards'] : [bundled]), 'run', document.uri.fsPath];
  const name = vscode.workspace.asRelativePath(document.uri);
  // A process, not a shell line: no name of a file needs quoting.
  const execution = new vscode.ProcessExecution(python.path, args, { cwd: (folder?.uri ?? home).fsPath });
  const task = new vscode.Task({ type: 'autograd-hazards' }, folder ?? vscode.TaskScope.Workspace, vscode.l10n.t('{0}, watched', name), 'Autograd Hazards', execution, []);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated, clear: true };
  const running = await vscode.tasks.executeTask(task);
  if (folder) return; // VS Code watches it, and tells the server of the record
  const ended = vscode.tasks.onDidEndTask(({ execution }) => {
    if (execution !== running) return;
    ended.dispose();
    if (client.isRunning()) void client.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri: home.toString(), type: FileChangeType.Changed }] });
  });
}
