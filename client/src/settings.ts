/** The settings `autogradHazards.*`, and which of them need a new server process. */

import * as vscode from 'vscode';
import { expand } from './expand';
import type { ImportStrategy } from './launch';

export const SECTION = 'autogradHazards';

/** Settings that decide how the process is started; all others reach a running server. */
const PROCESS_SETTINGS = ['args', 'importStrategy', 'interpreter', 'locale', 'logLevel', 'path'];

export interface ProcessSettings {
  readonly interpreter: readonly string[];
  readonly strategy: ImportStrategy;
  readonly path: readonly string[];
  readonly args: readonly string[];
  readonly logLevel: string;
  /** The language of messages, resolved: `auto` means that of VS Code. */
  readonly locale: string;
}

/** What the start of the process depends on; `scope` is a folder of the workspace. */
export function processSettings(scope: vscode.Uri | undefined): ProcessSettings {
  const section = vscode.workspace.getConfiguration(SECTION, scope);
  const locale = section.get<string>('locale', 'auto');
  return {
    interpreter: list(section, 'interpreter', scope),
    strategy: section.get<ImportStrategy>('importStrategy', 'useBundled'),
    path: list(section, 'path', scope),
    args: section.get<string[]>('args', []),
    logLevel: section.get<string>('logLevel', 'info'),
    locale: locale === 'auto' ? vscode.env.language : locale,
  };
}

/** All settings of the section as one object, for the server. */
export function allSettings(scope: vscode.Uri | undefined): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION, scope);
  return JSON.parse(JSON.stringify(section)) as Record<string, unknown>;
}

/** Whether a change asks for a new process. */
export function needsRestart(change: vscode.ConfigurationChangeEvent): boolean {
  return PROCESS_SETTINGS.some((name) => change.affectsConfiguration(`${SECTION}.${name}`));
}

/** A list of strings in which `${workspaceFolder}` and `~` may stand. */
function list(section: vscode.WorkspaceConfiguration, name: string, scope: vscode.Uri | undefined): string[] {
  const folder = scope ? vscode.workspace.getWorkspaceFolder(scope)?.uri.fsPath : vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return section.get<string[]>(name, []).map((value) => expand(value, folder));
}
