/** Asks a Python what it is. The only place that runs an interpreter besides the server itself. */

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Interpreter, Source } from './launch';

/** How long a Python may take to answer, in milliseconds; a cold one on a slow disk needs seconds. */
const PATIENCE = 15_000;

// Runs on any Python 3, in isolated mode; it looks for packages but imports none of them. The server waits for the
// answer: looking into folders takes a third of the time that importlib.metadata takes to load.
const QUESTION = `
import json, os, site, sys, sysconfig
paths = [sysconfig.get_path('purelib'), sysconfig.get_path('platlib')]
paths += [site.getusersitepackages()] if sys.prefix == sys.base_prefix else []
name, end, server = 'autograd_hazards-', '.dist-info', None
for folder in [each for each in sys.path if os.path.isdir(each) and os.access(each, os.R_OK)]:
    found = [entry for entry in os.listdir(folder) if entry.startswith(name) and entry.endswith(end)]
    server = server or (found[0][len(name):-len(end)] if found else None)
print(json.dumps({'executable': sys.executable, 'version': list(sys.version_info[:3]), 'sitePackages': list(dict.fromkeys(p for p in paths if p)), 'server': server}))
`;

/** What the interpreter says of itself. Throws when it cannot be run or does not answer as a Python does. */
export async function probe(command: readonly string[], source: Source): Promise<Interpreter> {
  const [file, ...args] = command;
  if (file === undefined) throw new Error('no interpreter is named');
  const answer = await new Promise<string>((resolve, reject) => {
    execFile(file, [...args, '-I', '-c', QUESTION], { timeout: PATIENCE, windowsHide: true, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim().split('\n').at(-1) || error.message));
      else resolve(stdout);
    });
  });
  return parseAnswer(answer, source);
}

/** The answer as an interpreter; throws when it is none. */
export function parseAnswer(answer: string, source: Source): Interpreter {
  const said = JSON.parse(answer) as { executable?: unknown; version?: unknown; sitePackages?: unknown; server?: unknown };
  const version = said.version;
  if (typeof said.executable !== 'string' || !Array.isArray(version) || version.length !== 3 || !Array.isArray(said.sitePackages)) {
    throw new Error('it does not answer as a Python does');
  }
  return {
    path: said.executable,
    source,
    version: [Number(version[0]), Number(version[1]), Number(version[2])],
    sitePackages: said.sitePackages.map(String),
    server: typeof said.server === 'string' ? said.server : null,
  };
}

/** The first file of this name on the PATH, or null. Relative entries of the PATH are left out. */
export function onPath(name: string, env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string | null {
  const endings = platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD').split(';') : [''];
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (fs.existsSync(file)) return file;
    }
  }
  return null;
}
