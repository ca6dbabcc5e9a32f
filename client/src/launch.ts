/** Decides how the server is started. No VS Code and no processes here: what is found goes in, a command comes out. */

import path from 'node:path';

/** The oldest Python that the server runs on. */
export const OLDEST_PYTHON = [3, 10] as const;

export type Source = 'setting' | 'environments' | 'python' | 'venv' | 'path';
export type ImportStrategy = 'useBundled' | 'fromEnvironment';

/** A Python that answered: what it is and where its packages lie. */
export interface Interpreter {
  readonly path: string;
  readonly source: Source;
  readonly version: readonly [number, number, number];
  /** Folders that hold its packages; read as data for torch's version. */
  readonly sitePackages: readonly string[];
  /** The version of autograd-hazards installed there, or null. */
  readonly server: string | null;
}

export interface LaunchOptions {
  /** In the order of preference. */
  readonly interpreters: readonly Interpreter[];
  readonly strategy: ImportStrategy;
  /** `autogradHazards.path`: an own executable and its first arguments. */
  readonly path: readonly string[];
  readonly args: readonly string[];
  /** The script that starts the bundled server, or null in a package without it. */
  readonly bundled: string | null;
  /** An `autograd-hazards` on the PATH, as pipx and uv install it, or null. */
  readonly executable: string | null;
}

export interface Launch {
  readonly kind: 'launch';
  readonly command: string;
  readonly args: readonly string[];
  /** What runs: the bundled server, one from an environment, or one named in the settings. */
  readonly origin: 'bundled' | 'environment' | 'setting';
  readonly interpreter: Interpreter | null;
}

export interface NoLaunch {
  readonly kind: 'none';
  /** No Python at all, none that is new enough, or none with autograd-hazards where that is needed. */
  readonly reason: 'no-python' | 'too-old' | 'not-installed';
  readonly newest: Interpreter | null;
}

/** Whether the server runs on this Python. */
export function isNewEnough(interpreter: Interpreter): boolean {
  const [major, minor] = interpreter.version;
  return major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]);
}

/** The command that starts the server, or why there is none. */
export function planLaunch(options: LaunchOptions): Launch | NoLaunch {
  const { interpreters, args } = options;
  const [own, ...ownArgs] = options.path;
  if (own !== undefined) {
    return { kind: 'launch', command: own, args: [...ownArgs, 'server', ...args], origin: 'setting', interpreter: null };
  }
  const fit = interpreters.filter(isNewEnough);
  const bundledHost = options.bundled === null ? undefined : fit[0];
  const bundled: Launch | undefined = bundledHost && {
    kind: 'launch', command: bundledHost.path, args: ['-I', options.bundled ?? '', 'server', ...args], origin: 'bundled', interpreter: bundledHost,
  };
  if (bundled && options.strategy === 'useBundled') return bundled;
  const host = fit.find((interpreter) => interpreter.server !== null);
  if (host) {
    return { kind: 'launch', command: host.path, args: ['-I', '-m', 'autograd_hazards', 'server', ...args], origin: 'environment', interpreter: host };
  }
  if (options.executable !== null && options.bundled === null) {
    return { kind: 'launch', command: options.executable, args: ['server', ...args], origin: 'environment', interpreter: null };
  }
  if (bundled) return bundled;
  if (interpreters.length === 0) return { kind: 'none', reason: 'no-python', newest: null };
  const newest = [...interpreters].sort((a, b) => b.version[0] - a.version[0] || b.version[1] - a.version[1])[0] ?? null;
  return { kind: 'none', reason: fit.length === 0 ? 'too-old' : 'not-installed', newest };
}

/** Whether `file` lies in one of the folders; such an interpreter is not run before the folder is trusted. */
export function liesIn(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const relative = path.relative(folder, file);
    return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  });
}

/** Where an environment in a folder keeps its interpreter; conda's own way, on Windows, is not that of venv. */
export function environmentPython(folder: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return path.posix.join(folder, 'bin', 'python');
  return path.win32.basename(folder) === '.conda' ? path.win32.join(folder, 'python.exe') : path.win32.join(folder, 'Scripts', 'python.exe');
}

/** The names under which the PATH may know a Python, with the arguments that select Python 3. */
export function pathNames(platform: NodeJS.Platform): readonly (readonly string[])[] {
  if (platform === 'win32') return [['py', '-3'], ['python'], ['python3']];
  // Where `python3` is an old one, a newer one may lie beside it under its full name.
  const newer = [14, 13, 12, 11, 10].map((minor) => [`python3.${minor}`]);
  return [['python3'], ['python'], ...newer];
}

/** A Python's version as people write it. */
export function versionText(interpreter: Interpreter): string {
  return interpreter.version.join('.');
}
