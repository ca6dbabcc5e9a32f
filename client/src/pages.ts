/** Pages in Markdown that the server writes (a rule, an explained traceback), shown in VS Code's own preview. */

import * as vscode from 'vscode';

const SCHEME = 'autograd-hazards';

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? vscode.l10n.t('This page is no longer there. Run the command again.');
  }

  /** Shows a page under a name such as `AGH201`; a page of that name is replaced. */
  async show(name: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
    this.texts.set(uri.path, markdown);
    this.changed.fire(uri);
    // Beside the program; one page takes the place of another.
    await vscode.commands.executeCommand(vscode.window.activeTextEditor ? 'markdown.showPreviewToSide' : 'markdown.showPreview', uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
