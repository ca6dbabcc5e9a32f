/** The server's life: started when Python is opened, restarted on demand, stopped with the window. */

import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State, type LanguageClientOptions } from 'vscode-languageclient/node';
import { findInterpreters } from './interpreter';
import { isNewEnough, planLaunch, versionText, type Interpreter, type Launch, type NoLaunch } from './launch';
import { onPath } from './probe';
import { logLines } from './serverLog';
import { statusNotification, type ServerStatus } from './protocol';
import { allSettings, processSettings, SECTION, type ProcessSettings } from './settings';
import { offerLogs } from './status';

/** The command that pipx and uv put on the PATH. */
const EXECUTABLE = 'autograd-hazards';
const NAME = 'Autograd Hazards';
const REMEMBERED = 'interpreters';

/** So many ends by itself within so many milliseconds are borne before the server is given up. */
const LOSSES_BORNE = 4;
const LOSSES_WITHIN = 180_000;

/** What the status item shows: the server's own words, or why there is no server. */
export type Situation = { readonly kind: 'stopped' } | NoLaunch | ({ readonly kind: 'server'; readonly launch: Launch } & ServerStatus);

/** What was found and chosen at the last start, for the debug information. */
export interface LastStart {
  readonly interpreters: readonly Interpreter[];
  readonly plan: Launch | NoLaunch;
  readonly milliseconds: number;
}

interface Choice {
  readonly interpreters: Interpreter[];
  readonly plan: Launch | NoLaunch;
  readonly settings: ProcessSettings;
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  /** One start or stop at a time, in the order in which they were asked for. */
  private queue: Promise<void> = Promise.resolve();
  /** When the server ended by itself of late. */
  private losses: number[] = [];
  private readonly changed = new vscode.EventEmitter<Situation>();
  readonly onDidChange = this.changed.event;
  situation: Situation = { kind: 'stopped' };
  lastStart: LastStart | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
    /** Where the Pythons found in this workspace are kept from one window to the next. */
    private readonly memory: vscode.Memento,
  ) {}

  /** The running client, started if need be; undefined when there is no Python to run it. */
  async ready(): Promise<LanguageClient | undefined> {
    if (!this.client) await this.start();
    else await this.queue;
    return this.client;
  }

  start(): Promise<void> {
    return this.enqueue(async () => {
      if (this.client) return;
      const remembered = this.remembered();
      // Extensions that know the Python may take seconds to wake: they are asked while the server is at work.
      if (remembered) void this.refresh();
      await this.launch(remembered);
    });
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.shutDown();
      await this.launch();
    });
  }

  /** Restarts if another Python would be chosen today than at the last start. */
  refresh(): Promise<void> {
    return this.enqueue(async () => {
      const { interpreters, plan } = await this.choose();
      if (JSON.stringify([interpreters, plan]) === JSON.stringify([this.lastStart?.interpreters, this.lastStart?.plan])) return;
      await this.shutDown();
      await this.launch();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.shutDown());
  }

  dispose(): void {
    void this.stop();
    this.changed.dispose();
  }

  /** The script that starts the bundled server, or null: the universal package has none. */
  bundled(): string | null {
    const file = path.join(this.extension.fsPath, 'bundled', 'autograd_hazards_bundled.py');
    return fs.existsSync(file) ? file : null;
  }

  private enqueue(job: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(job).catch((error: unknown) => {
      this.log.error(error instanceof Error ? error : String(error));
      if (this.situation.kind !== 'server') return;
      const message = vscode.l10n.t('Autograd Hazards could not be started: {0}', reason(error, this.situation.launch.command));
      this.tell({ ...this.situation, state: 'error', message });
      offerLogs(message);
    });
    return this.queue;
  }

  private async launch(remembered?: Choice): Promise<void> {
    const begun = Date.now();
    const { interpreters, plan, settings } = remembered ?? (await this.choose());
    this.lastStart = { interpreters, plan, milliseconds: Date.now() - begun };
    if (plan.kind === 'none') {
      this.log.warn(`the server is not started: ${plan.reason}`);
      this.tell(plan);
      return;
    }
    const on = plan.interpreter ? ` on Python ${versionText(plan.interpreter)}` : '';
    this.log.info(`starting the server (${plan.origin}${on}): ${plan.command} ${plan.args.join(' ')}`);
    this.tell({ kind: 'server', launch: plan, state: 'starting' });
    const client = new QuietClient(SECTION, NAME, { command: plan.command, args: [...plan.args], options: { env: environment() } }, this.options(interpreters[0], settings.locale));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client) this.lost();
    });
    client.onNotification(statusNotification, (status) => this.tell({ kind: 'server', launch: plan, ...status }));
    try {
      await client.start();
    } catch (error) {
      await client.dispose().catch((reason: unknown) => this.log.debug(`after a failed start: ${String(reason)}`));
      throw error;
    }
    this.client = client;
    this.lastStart = { ...this.lastStart, milliseconds: Date.now() - begun };
    this.log.info(`the server answers after ${this.lastStart.milliseconds} ms`);
    if (this.situation.kind === 'server' && this.situation.state === 'starting') this.tell({ ...this.situation, state: 'ready' });
  }

  /** The server has ended by itself: it is started again, unless it does so time and again. */
  private lost(): void {
    this.client = undefined;
    const now = Date.now();
    this.losses = [...this.losses.filter((time) => now - time < LOSSES_WITHIN), now];
    if (this.losses.length <= LOSSES_BORNE) {
      this.log.warn('the server has ended by itself and is started again');
      void this.restart();
    } else if (this.situation.kind === 'server') {
      this.log.error('the server has ended by itself too often');
      this.tell({ ...this.situation, state: 'error', message: vscode.l10n.t('The server has stopped.') });
    }
  }

  /** Looks for Pythons and decides which one runs the server. */
  private async choose(): Promise<Choice> {
    const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
    const settings = processSettings(scope);
    const bundled = this.bundled();
    const enough = (found: Interpreter): boolean =>
      isNewEnough(found) && (found.server !== null || (bundled !== null && settings.strategy === 'useBundled'));
    const interpreters = await findInterpreters(scope, settings.interpreter, this.log, enough);
    if (vscode.workspace.isTrusted) await this.memory.update(REMEMBERED, { setting: settings.interpreter, interpreters });
    return { interpreters, plan: this.plan(interpreters, settings), settings };
  }

  /** What was chosen the last time in this workspace, if it can still be; `refresh` corrects it. */
  private remembered(): Choice | undefined {
    const settings = processSettings(vscode.workspace.workspaceFolders?.[0]?.uri);
    const last = this.memory.get<{ setting: readonly string[]; interpreters: Interpreter[] }>(REMEMBERED);
    if (!last || !vscode.workspace.isTrusted || settings.strategy !== 'useBundled' || this.bundled() === null) return undefined;
    if (JSON.stringify(last.setting) !== JSON.stringify(settings.interpreter)) return undefined;
    if (last.interpreters.length === 0 || !last.interpreters.every((python) => fs.existsSync(python.path))) return undefined;
    return { interpreters: last.interpreters, plan: this.plan(last.interpreters, settings), settings };
  }

  private plan(interpreters: Interpreter[], settings: ProcessSettings): Launch | NoLaunch {
    return planLaunch({
      interpreters, strategy: settings.strategy, path: settings.path, args: ['--log-level', settings.logLevel, ...settings.args], bundled: this.bundled(), executable: onPath(EXECUTABLE),
    });
  }

  private async shutDown(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.tell({ kind: 'stopped' });
    if (!client) return;
    try {
      await client.dispose(2000);
    } catch (error) {
      this.log.warn(`the server did not stop in good order: ${String(error)}`);
    }
    this.log.info('the server is stopped');
  }

  private options(user: Interpreter | undefined, locale: string): LanguageClientOptions {
    const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
    const python = { language: 'python' };
    return {
      documentSelector: [
        { ...python, scheme: 'file' },
        { ...python, scheme: 'untitled' },
        { ...python, scheme: 'vscode-notebook-cell' },
      ],
      diagnosticCollectionName: EXECUTABLE,
      outputChannel: this.log,
      stdioOptions: { stdout: (stream) => logLines(stream, this.log), stderr: (stream) => logLines(stream, this.log) },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true, message: 'The connection to the server is closed.' }),
      },
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      markdown: { isTrusted: { enabledCommands: ['autogradHazards.showTimeline', 'autogradHazards.openRule'] } },
      // The server asks to be told of changed settings; one that is on its way out is not told.
      middleware: {
        workspace: {
          didChangeConfiguration: async (sections, next) => {
            const client = this.client;
            await this.queue;
            if (client === this.client) await next(sections);
          },
        },
      },
      initializationOptions: {
        settings: allSettings(scope),
        // Code actions may name commands of this client: it knows them whatever the editor calls itself.
        clientCommands: true,
        locale,
        pythonPath: user?.path ?? null,
        sitePackages: user?.sitePackages ?? [],
      },
    };
  }

  private tell(situation: Situation): void {
    this.situation = situation;
    this.changed.fire(situation);
  }
}

/** A client that writes its troubles into the log; what a person should know of them is said above, in one sentence. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Why a command did not become a server. */
function reason(error: unknown, command: string): string {
  const text = error instanceof Error ? error.message : String(error);
  return /\bENOENT\b/.test(text) ? vscode.l10n.t('there is no {0}.', command) : text;
}

/** The environment of the process: nothing of the user's Python settings may reach into it. */
function environment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (/^PYTHON/.test(name)) delete env[name];
  return env;
}
