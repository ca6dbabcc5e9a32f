/** What other extensions know about the Python in use. Neither needs to be installed, and neither is trusted to answer. */

import * as vscode from 'vscode';

const ENVIRONMENTS = 'ms-python.vscode-python-envs';
const PYTHON = 'ms-python.python';

/** The part used of the Python Environments extension; what it exports may also be undefined. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string; args?: string[] } } } | undefined>;
  onDidChangeEnvironment?: vscode.Event<unknown>;
}

/** The part used of the Python extension. */
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

async function api<T>(id: string): Promise<T | undefined> {
  const extension = vscode.extensions.getExtension<T>(id);
  if (!extension) return undefined;
  return (extension.isActive ? extension.exports : await extension.activate()) ?? undefined;
}

/** The interpreter chosen in the Python Environments extension, as a command. */
export async function fromEnvironments(scope: vscode.Uri | undefined): Promise<string[] | undefined> {
  const found = await (await api<EnvironmentsApi>(ENVIRONMENTS))?.getEnvironment?.(scope);
  const run = found?.execInfo?.run;
  return run?.executable ? [run.executable, ...(run.args ?? [])] : undefined;
}

/** The interpreter chosen in the Python extension, as a command. */
export async function fromPython(scope: vscode.Uri | undefined): Promise<string[] | undefined> {
  const environments = (await api<PythonApi>(PYTHON))?.environments;
  if (!environments) return undefined;
  const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(scope));
  const file = resolved?.executable?.uri?.fsPath;
  return file ? [file] : undefined;
}

/** Calls back when either extension changes its mind. An extension that fails is as good as absent. */
export async function onChange(listener: () => void): Promise<vscode.Disposable> {
  const [environments, python] = await Promise.allSettled([api<EnvironmentsApi>(ENVIRONMENTS), api<PythonApi>(PYTHON)]);
  const events = [
    environments.status === 'fulfilled' ? environments.value?.onDidChangeEnvironment : undefined,
    python.status === 'fulfilled' ? python.value?.environments?.onDidChangeActiveEnvironmentPath : undefined,
  ];
  return vscode.Disposable.from(...events.flatMap((event) => (event ? [event(() => listener())] : [])));
}

/** Whether the Python extension can be asked to choose an interpreter. */
export function hasPythonExtension(): boolean {
  return vscode.extensions.getExtension(PYTHON) !== undefined;
}
