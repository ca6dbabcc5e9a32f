/** "Show what happened": opens the timeline of a finding, named by a code action or found at the cursor. */

import * as vscode from 'vscode';
import { pickFinding, programEditor } from '../findings';
import { requireServer, type Services } from './services';

export async function showTimeline(services: Services, uri: unknown, id: unknown): Promise<void> {
  if (!(await requireServer(services))) return;
  if (typeof uri === 'string' && typeof id === 'string') {
    await services.timeline.show(vscode.Uri.parse(uri, true), id);
    return;
  }
  const editor = await programEditor();
  const picked = editor && await pickFinding(editor);
  if (picked) await services.timeline.show(picked.uri, picked.finding.data.id);
}
