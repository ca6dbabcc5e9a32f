/** Explains an error of torch: the traceback is selected in an editor, on the clipboard, or pasted into a new document. */

import * as vscode from 'vscode';
import { explainRequest } from '../protocol';
import { firstTraceback } from '../traceback';
import { requireServer, withProgress, type Services } from './services';

export async function explainTraceback(services: Services, given: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const text = typeof given === 'string' ? given : firstTraceback([
    editor?.document.getText(editor.selection),
    editor?.document.isUntitled ? editor.document.getText() : undefined,
    await vscode.env.clipboard.readText(),
  ]);
  if (text === undefined) {
    await askToPaste();
    return;
  }
  const client = await requireServer(services);
  if (!client) return;
  const uri = editor?.document.languageId === 'python' ? editor.document.uri.toString() : undefined;
  const { markdown, finding } = await withProgress(vscode.l10n.t('Explaining…'), () =>
    client.sendRequest(explainRequest, { text, ...(uri && { textDocument: { uri } }) }),
  );
  const location = finding?.location;
  if (location) {
    const range = client.protocol2CodeConverter.asRange(location.range);
    await vscode.window.showTextDocument(client.protocol2CodeConverter.asUri(location.uri), { selection: range, viewColumn: vscode.ViewColumn.One });
  }
  await services.pages.show(vscode.l10n.t('Explanation'), markdown);
}

async function askToPaste(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'plaintext' });
  await vscode.window.showTextDocument(document);
  const explain = vscode.l10n.t('Explain');
  const answer = await vscode.window.showInformationMessage(vscode.l10n.t('Paste the whole traceback into this document.'), explain);
  if (answer === explain && document.getText().trim() !== '') {
    await vscode.commands.executeCommand('autogradHazards.explainTraceback', document.getText());
  }
}
