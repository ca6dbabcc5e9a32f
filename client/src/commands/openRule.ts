/** Opens a rule's page, as the server writes it in the reader's language. Nothing is fetched. */

import * as vscode from 'vscode';
import { findingsAt } from '../findings';
import { ruleRequest } from '../protocol';
import { requireServer, type Services } from './services';

/** The part of the manifest that lists the rules. */
interface Manifest {
  contributes: { configuration: { properties: { 'autogradHazards.severity': { properties: Record<string, { description: string }> } } } };
}

export async function openRule(services: Services, code: unknown): Promise<void> {
  const wanted = typeof code === 'string' ? code : await askForRule(services.context);
  if (wanted === undefined) return;
  const client = await requireServer(services);
  if (!client) return;
  const { markdown } = await client.sendRequest(ruleRequest, { code: wanted });
  await services.pages.show(wanted, markdown);
}

/** Lists all rules, those at the cursor first. */
async function askForRule(context: vscode.ExtensionContext): Promise<string | undefined> {
  const { contributes } = context.extension.packageJSON as Manifest;
  const rules = Object.entries(contributes.configuration.properties['autogradHazards.severity'].properties);
  const editor = vscode.window.activeTextEditor;
  const here = new Set(editor ? findingsAt(editor.document.uri, editor.selection.active).map(({ data }) => data.code) : []);
  const items = rules.map(([label, { description }]) => ({ label, description }));
  items.sort((a, b) => Number(here.has(b.label)) - Number(here.has(a.label)));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which rule?'), matchOnDescription: true });
  return picked?.label;
}
