/** Finds the Pythons at hand: own setting, Python Environments, Python extension, .venv, PATH; in this order. */

import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { fromEnvironments, fromPython } from './environments';
import { liesIn, pathNames, environmentPython, versionText, type Interpreter, type Source } from './launch';
import { onPath, probe } from './probe';

interface Candidate {
  readonly source: Source;
  readonly command: readonly string[];
}

/** Folders in which projects keep their environments: of venv, uv and Poetry, and of VS Code's own command for conda. */
const ENVIRONMENTS = ['.venv', 'venv', '.conda'];

/** All candidates, one by one, so that nobody is asked once a fitting Python is found. */
async function* candidates(scope: vscode.Uri | undefined, setting: readonly string[], log: vscode.LogOutputChannel): AsyncGenerator<Candidate> {
  if (setting.length > 0) yield { source: 'setting', command: setting };
  for (const [source, ask] of [['environments', fromEnvironments], ['python', fromPython]] as const) {
    try {
      const command = await ask(scope);
      if (command) yield { source, command };
    } catch (error) {
      log.warn(`the extension behind '${source}' did not tell its interpreter: ${String(error)}`);
    }
  }
  for (const folder of workspaceFolders()) {
    for (const name of ENVIRONMENTS) yield { source: 'venv', command: [environmentPython(path.join(folder, name), process.platform)] };
  }
  for (const [name, ...args] of pathNames(process.platform)) {
    const file = onPath(name ?? '');
    if (file) yield { source: 'path', command: [file, ...args] };
  }
}

/**
 * The Pythons found, in the order of preference, up to the first that is `enough`.
 * In a workspace that is not trusted none that lies in it is run.
 */
export async function findInterpreters(
  scope: vscode.Uri | undefined, setting: readonly string[], log: vscode.LogOutputChannel, enough: (found: Interpreter) => boolean,
): Promise<Interpreter[]> {
  const found: Interpreter[] = [];
  const asked = new Set<string>();
  for await (const { source, command } of candidates(scope, setting, log)) {
    const [file] = command;
    const key = command.join('\0');
    if (file === undefined || asked.has(key)) continue;
    asked.add(key);
    if (path.isAbsolute(file) && !fs.existsSync(file)) {
      if (source !== 'venv') log.warn(`there is no ${file} (${source})`);
      continue;
    }
    if (!vscode.workspace.isTrusted && (liesIn(file, workspaceFolders()) || !path.isAbsolute(file))) {
      log.info(`${file} is left alone: the workspace is not trusted`);
      continue;
    }
    try {
      const interpreter = await probe(command, source);
      if (found.some((other) => other.path === interpreter.path)) continue;
      log.info(`Python ${versionText(interpreter)} at ${interpreter.path} (${source})`);
      found.push(interpreter);
      if (enough(interpreter)) break;
    } catch (error) {
      log.warn(`${command.join(' ')} (${source}) cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
}

function workspaceFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file').map((folder) => folder.uri.fsPath);
}
