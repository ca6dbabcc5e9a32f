/** The remedy when no Python fits: choose one of those found, or any other. */

import * as vscode from 'vscode';
import { hasPythonExtension } from '../environments';
import { findInterpreters } from '../interpreter';
import { isNewEnough, versionText } from '../launch';
import { processSettings, SECTION } from '../settings';
import { withProgress, type Services } from './services';

interface Choice extends vscode.QuickPickItem {
  readonly choose: () => Thenable<unknown>;
}

export async function selectInterpreter({ log }: Services): Promise<void> {
  const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
  const found = await withProgress(vscode.l10n.t('Looking for Python…'), () => findInterpreters(scope, processSettings(scope).interpreter, log, () => false));
  const choices: Choice[] = found.filter(isNewEnough).map((interpreter) => ({
    label: `Python ${versionText(interpreter)}`,
    description: interpreter.path,
    choose: () => use([interpreter.path]),
  }));
  choices.push({ label: vscode.l10n.t('Enter the path of an interpreter…'), choose: enter });
  if (hasPythonExtension()) {
    choices.push({ label: vscode.l10n.t('Choose with the Python extension…'), choose: () => vscode.commands.executeCommand('python.setInterpreter') });
  }
  const picked = await vscode.window.showQuickPick(choices, { placeHolder: vscode.l10n.t('The Python that Autograd Hazards runs on and whose torch it reads'), matchOnDescription: true });
  await picked?.choose();
}

async function enter(): Promise<void> {
  const path = await vscode.window.showInputBox({ prompt: vscode.l10n.t('Path of a Python interpreter'), ignoreFocusOut: true });
  if (path) await use([path]);
}

/** Written for this workspace where there is one, since the next may use another Python. */
function use(command: readonly string[]): Thenable<void> {
  const target = vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  return vscode.workspace.getConfiguration(SECTION).update('interpreter', command, target);
}
