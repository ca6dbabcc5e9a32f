/** Everything that a report of a problem needs, in a document to copy. No source of the user is in it. */

import * as vscode from 'vscode';
import { versionText } from '../launch';
import { debugInformationRequest } from '../protocol';
import { allSettings } from '../settings';
import type { Services } from './services';

export async function debugInformation({ context, server }: Services): Promise<void> {
  const { version } = context.extension.packageJSON as { version: string };
  const start = server.lastStart;
  const lines = [
    `Autograd Hazards ${version}${server.bundled() === null ? ' (universal package)' : ' (with bundled server)'}`,
    `VS Code ${vscode.version}, ${process.platform}-${process.arch}, ${vscode.env.remoteName ?? 'local'}, language ${vscode.env.language}`,
    `workspace trusted: ${vscode.workspace.isTrusted}`,
    '',
    'Interpreters, in the order of preference:',
    ...(start?.interpreters ?? []).map((found) => `  ${versionText(found)} ${found.path} (${found.source}; autograd-hazards ${found.server ?? 'not installed'})`),
    '',
    `Start: ${start ? `${JSON.stringify(start.plan)} in ${start.milliseconds} ms` : 'never'}`,
    `State: ${JSON.stringify(server.situation)}`,
    '',
    `Settings: ${JSON.stringify(allSettings(vscode.workspace.workspaceFolders?.[0]?.uri), null, 2)}`,
    '',
  ];
  if (server.situation.kind === 'server') {
    const client = await server.ready();
    const answer = await client?.sendRequest(debugInformationRequest, {});
    lines.push('Server:', answer?.text ?? '  no answer', '');
  }
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'plaintext', content: lines.join('\n') }));
}
