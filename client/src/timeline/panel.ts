/** The panel that draws a finding's story. One panel; another finding replaces what it shows. */

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { timelineRequest, type LaneKind, type Role, type Timeline, type TimelineEvent } from '../protocol';
import type { Server } from '../server';
import { timelineDocument } from './document';
import { cut, letter, type PageMessage, type View, type ViewEvent } from './view';

interface Subject {
  readonly uri: vscode.Uri;
  readonly id: string;
  readonly timeline: Timeline;
  readonly gone: boolean;
}

/** After so many milliseconds without a change of the findings the picture is drawn anew. */
const SETTLED = 300;

export class TimelinePanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private subject: Subject | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscription: vscode.Disposable;
  /** What the page last got; for tests. */
  view: View | undefined;

  constructor(private readonly extension: vscode.Uri, private readonly server: Server, private readonly log: vscode.LogOutputChannel) {
    this.subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const uri = this.subject?.uri.toString();
      if (uri === undefined || !uris.some((changed) => changed.toString() === uri)) return;
      clearTimeout(this.timer);
      // A server on its way out does not answer; what the next one finds brings the picture up to date.
      this.timer = setTimeout(() => this.refresh().catch((error: unknown) => this.log.debug(`the timeline is not drawn anew: ${String(error)}`)), SETTLED);
    });
  }

  /** Opens the panel beside the editor, or brings it up, with the story of this finding. */
  async show(uri: vscode.Uri, id: string): Promise<void> {
    const timeline = await this.ask(uri, id);
    if (!timeline) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This finding is no longer in the file.'));
      return;
    }
    this.subject = { uri, id, timeline, gone: false };
    this.panel ??= this.create();
    this.panel.title = vscode.l10n.t('{0}: what happened', timeline.code);
    this.panel.reveal(undefined, false);
    await this.send();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.panel?.dispose();
  }

  private async ask(uri: vscode.Uri, id: string): Promise<Timeline | null> {
    const client = await this.server.ready();
    return client ? client.sendRequest(timelineRequest, { textDocument: { uri: client.code2ProtocolConverter.asUri(uri) }, id }) : null;
  }

  /** After an edit: the same finding at its new lines, or the old picture with a word that it is gone. */
  private async refresh(): Promise<void> {
    const subject = this.subject;
    if (!subject || !this.panel) return;
    const timeline = await this.ask(subject.uri, subject.id);
    if (this.subject !== subject) return;
    this.subject = timeline ? { ...subject, timeline, gone: false } : { ...subject, gone: true };
    await this.send();
  }

  private create(): vscode.WebviewPanel {
    const out = vscode.Uri.joinPath(this.extension, 'out');
    const panel = vscode.window.createWebviewPanel(
      'autogradHazards.timeline', '', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false },
      { enableScripts: true, localResourceRoots: [out] },
    );
    const { webview } = panel;
    webview.onDidReceiveMessage((message: PageMessage) => this.receive(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.subject = undefined;
    });
    webview.html = timelineDocument({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      script: webview.asWebviewUri(vscode.Uri.joinPath(out, 'timeline.js')).toString(),
      style: webview.asWebviewUri(vscode.Uri.joinPath(out, 'timeline.css')).toString(),
      language: vscode.env.language,
      title: vscode.l10n.t('What happened'),
    });
    return panel;
  }

  private async receive(message: PageMessage): Promise<void> {
    if (message.kind === 'ready') await this.send();
    const subject = this.subject;
    if (message.kind === 'rule' && subject) await vscode.commands.executeCommand('autogradHazards.openRule', subject.timeline.code);
    const event = message.kind === 'open' ? subject?.timeline.events[message.event] : undefined;
    if (event) await this.open(event);
  }

  private async open({ location }: TimelineEvent): Promise<void> {
    const client = await this.server.ready();
    if (!client) return;
    const { start, end } = location.range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const uri = client.protocol2CodeConverter.asUri(location.uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { selection, viewColumn: vscode.ViewColumn.One });
  }

  private async send(): Promise<void> {
    if (!this.panel || !this.subject) return;
    this.view = await toView(this.subject.timeline, this.subject.gone);
    await this.panel.webview.postMessage(this.view);
  }
}

async function toView(timeline: Timeline, gone: boolean): Promise<View> {
  const { code, name, title, consequence, severity, lanes } = timeline;
  return {
    code, name, title, consequence, severity, gone,
    lanes: lanes.map(({ kind, label }, index) => ({ letter: letter(index), kind, ...named(kind, label) })),
    events: await Promise.all(timeline.events.map((event) => toViewEvent(event, Math.max(0, lanes.findIndex(({ id }) => id === event.lane))))),
    words: {
      lanes: vscode.l10n.t('Lanes'),
      events: vscode.l10n.t('Events in the order of execution'),
      rule: vscode.l10n.t('About {0}', code),
      gone: vscode.l10n.t('This finding is no longer in the file.'),
    },
  };
}

async function toViewEvent({ role, text, location }: TimelineEvent, lane: number): Promise<ViewEvent> {
  const uri = vscode.Uri.parse(location.uri);
  const { start, end } = location.range;
  const document = await vscode.workspace.openTextDocument(uri).then((opened) => opened, () => undefined);
  const line = document && start.line < document.lineCount ? document.lineAt(start.line).text : '';
  const stop = end.line === start.line ? end.character : line.length;
  return { lane, role, roleText: roleText(role), text, place: `${path.posix.basename(uri.path)}:${start.line + 1}`, ...cut(line, start.character, stop) };
}

/** A lane without a name of its own has that of its kind. */
function named(kind: LaneKind, label: string): { kindText: string; label: string } {
  const parameters = vscode.l10n.t('parameters');
  if (kind === 'parameter' && label === parameters) return { kindText: parameters, label: '' };
  return { kindText: kindText(kind), label: label === kindText(kind) ? '' : label };
}

function kindText(kind: LaneKind): string {
  switch (kind) {
    case 'tensor': return vscode.l10n.t('tensor');
    case 'graph': return vscode.l10n.t('graph');
    case 'parameter': return vscode.l10n.t('parameter');
    case 'optimizer': return vscode.l10n.t('optimizer');
  }
}

function roleText(role: Role): string {
  switch (role) {
    case 'built': return vscode.l10n.t('built');
    case 'saved': return vscode.l10n.t('saved for backward');
    case 'changed': return vscode.l10n.t('changed');
    case 'freed': return vscode.l10n.t('freed');
    case 'called': return vscode.l10n.t('called from');
    case 'used': return vscode.l10n.t('used');
    case 'cut': return vscode.l10n.t('cut off');
    case 'kept': return vscode.l10n.t('kept');
    case 'fails': return vscode.l10n.t('fails');
  }
}
