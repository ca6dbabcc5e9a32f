/** Applies every safe fix in the active file; the server writes the edit, VS Code applies it and can undo it. */

import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { findingsIn, programEditor } from '../findings';
import { requireServer, withProgress, type Services } from './services';

export async function fixFile(services: Services): Promise<void> {
  const document = (await programEditor())?.document;
  if (!document) return;
  const found = findingsIn(document.uri).length;
  const client = await requireServer(services);
  if (!client) return;
  const before = document.version;
  await withProgress(vscode.l10n.t('Fixing…'), () =>
    client.sendRequest(ExecuteCommandRequest.type, { command: 'autogradHazards.fixAll', arguments: [document.uri.toString()] }),
  );
  if (document.version === before) {
    void vscode.window.showInformationMessage(found === 0 ? vscode.l10n.t('There is nothing to fix in this file.') : vscode.l10n.t('There is nothing to fix that keeps the numbers the same. Fixes that change what is trained are offered one by one, by the light bulb.'));
  }
}
