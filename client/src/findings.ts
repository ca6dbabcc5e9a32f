/** The findings that are on show, as diagnostics of VS Code. */

import * as vscode from 'vscode';
import type { FindingData } from './protocol';

const SOURCE = 'autograd-hazards';

export interface Shown {
  readonly diagnostic: vscode.Diagnostic;
  readonly data: FindingData;
}

/** The findings in a document, in the order of their lines. */
export function findingsIn(uri: vscode.Uri): Shown[] {
  const found: Shown[] = [];
  for (const diagnostic of vscode.languages.getDiagnostics(uri)) {
    // The language client keeps what the server attached on the diagnostic it made.
    const { data } = diagnostic as vscode.Diagnostic & { data?: Partial<FindingData> };
    if (diagnostic.source?.startsWith(SOURCE) && typeof data?.id === 'string' && typeof data.code === 'string') {
      found.push({ diagnostic, data: { id: data.id, code: data.code, fixes: data.fixes ?? false } });
    }
  }
  return found.sort((a, b) => a.diagnostic.range.start.compareTo(b.diagnostic.range.start));
}

/** The findings at a place: those that cover it, else those of its line. */
export function findingsAt(uri: vscode.Uri, position: vscode.Position): Shown[] {
  const all = findingsIn(uri);
  const covering = all.filter(({ diagnostic }) => diagnostic.range.contains(position));
  return covering.length > 0 ? covering : all.filter(({ diagnostic }) => diagnostic.range.start.line <= position.line && position.line <= diagnostic.range.end.line);
}

let lastProgram: vscode.TextDocument | undefined;

/** The editor of the program that is meant: the active one, or else (on a page, in the walkthrough) the last one there was. */
export async function programEditor(): Promise<vscode.TextEditor | undefined> {
  const active = vscode.window.activeTextEditor;
  if (active && isProgram(active.document)) return active;
  if (lastProgram && !lastProgram.isClosed) return vscode.window.showTextDocument(lastProgram);
  void vscode.window.showInformationMessage(vscode.l10n.t('Open a Python file first.'));
  return undefined;
}

function isProgram({ languageId, uri }: vscode.TextDocument): boolean {
  return languageId === 'python' || findingsIn(uri).length > 0;
}

/** The finding meant in an editor; asks where there are several. */
export async function pickFinding(editor: vscode.TextEditor): Promise<{ uri: vscode.Uri; finding: Shown } | undefined> {
  const { uri } = editor.document;
  const near = findingsAt(uri, editor.selection.active);
  const choice = near.length > 0 ? near : findingsIn(uri);
  const [only] = choice;
  if (!only) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no finding in this file.'));
    return undefined;
  }
  if (choice.length === 1) return { uri, finding: only };
  const picked = await vscode.window.showQuickPick(
    choice.map((finding) => ({
      label: `${finding.data.code} ${firstLine(finding.diagnostic.message)}`,
      description: vscode.l10n.t('line {0}', finding.diagnostic.range.start.line + 1),
      finding,
    })),
    { placeHolder: vscode.l10n.t('Which finding?'), matchOnDescription: true },
  );
  return picked && { uri, finding: picked.finding };
}

/** Keeps the context key `autogradHazards.hasFindings`, on which menus depend. */
export function trackFindings(): vscode.Disposable {
  const update = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    // A cell cannot be shown without its notebook.
    if (document && isProgram(document) && document.uri.scheme !== 'vscode-notebook-cell') lastProgram = document;
    const uri = document?.uri;
    void vscode.commands.executeCommand('setContext', 'autogradHazards.hasFindings', uri !== undefined && findingsIn(uri).length > 0);
  };
  update();
  return vscode.Disposable.from(vscode.window.onDidChangeActiveTextEditor(update), vscode.languages.onDidChangeDiagnostics(update));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
