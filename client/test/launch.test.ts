import assert from 'node:assert/strict';
import test from 'node:test';
import { isNewEnough, liesIn, pathNames, environmentPython, planLaunch, type Interpreter, type LaunchOptions } from '../src/launch';

function python(version: [number, number, number], server: string | null = null): Interpreter {
  return { path: `/python${version.join('.')}`, source: 'path', version, sitePackages: [], server };
}

const options = (changes: Partial<LaunchOptions>): LaunchOptions => ({
  interpreters: [python([3, 12, 1])], strategy: 'useBundled', path: [], args: [], bundled: '/ext/bundled.py', executable: null, ...changes,
});

test('the bundled server runs isolated on the first Python that is new enough', () => {
  const plan = planLaunch(options({ interpreters: [python([3, 8, 0]), python([3, 10, 0]), python([3, 13, 0])], args: ['--log-level', 'debug'] }));
  assert.equal(plan.kind === 'launch' && plan.command, '/python3.10.0');
  assert.deepEqual(plan.kind === 'launch' && plan.args, ['-I', '/ext/bundled.py', 'server', '--log-level', 'debug']);
});

test('fromEnvironment takes the first Python that has the server, whatever comes before', () => {
  const plan = planLaunch(options({ strategy: 'fromEnvironment', interpreters: [python([3, 12, 1]), python([3, 11, 0], '0.1.0')] }));
  assert.deepEqual(plan.kind === 'launch' && [plan.command, plan.args, plan.origin], ['/python3.11.0', ['-I', '-m', 'autograd_hazards', 'server'], 'environment']);
});

test('fromEnvironment falls back on the bundled server', () => {
  const plan = planLaunch(options({ strategy: 'fromEnvironment' }));
  assert.equal(plan.kind === 'launch' && plan.origin, 'bundled');
});

test('the universal package uses the server of an environment', () => {
  const plan = planLaunch(options({ bundled: null, interpreters: [python([3, 12, 1]), python([3, 11, 0], '0.1.0')] }));
  assert.equal(plan.kind === 'launch' && plan.command, '/python3.11.0');
});

test('the universal package uses the executable on the PATH when no Python has the server', () => {
  const plan = planLaunch(options({ bundled: null, executable: '/home/me/.local/bin/autograd-hazards' }));
  assert.deepEqual(plan.kind === 'launch' && [plan.command, plan.args], ['/home/me/.local/bin/autograd-hazards', ['server']]);
});

test('an own path beats everything', () => {
  const plan = planLaunch(options({ path: ['uvx', 'autograd-hazards'], args: ['--x'], interpreters: [] }));
  assert.deepEqual(plan.kind === 'launch' && [plan.command, plan.args, plan.origin], ['uvx', ['autograd-hazards', 'server', '--x'], 'setting']);
});

test('without a fitting Python it says why', () => {
  assert.deepEqual(planLaunch(options({ interpreters: [] })), { kind: 'none', reason: 'no-python', newest: null });
  const old = planLaunch(options({ interpreters: [python([2, 7, 18]), python([3, 9, 2])] }));
  assert.deepEqual(old.kind === 'none' && [old.reason, old.newest?.version], ['too-old', [3, 9, 2]]);
  const bare = planLaunch(options({ bundled: null }));
  assert.equal(bare.kind === 'none' && bare.reason, 'not-installed');
});

test('Python 3.10 is the oldest', () => {
  assert.deepEqual([[2, 7, 18], [3, 9, 20], [3, 10, 0], [3, 14, 0], [4, 0, 0]].map((version) => isNewEnough(python(version as [number, number, number]))), [false, false, true, true, true]);
});

test('what lies in a folder', () => {
  assert.equal(liesIn('/work/project/.venv/bin/python', ['/work/project']), true);
  assert.equal(liesIn('/work/project-2/.venv/bin/python', ['/work/project']), false);
  assert.equal(liesIn('/usr/bin/python3', ['/work/project', '/home']), false);
  assert.equal(liesIn('/usr/bin/python3', []), false);
});

test('the Python of a virtual environment', () => {
  assert.equal(environmentPython('/p/.venv', 'linux'), '/p/.venv/bin/python');
  assert.equal(environmentPython('C:\\p\\.venv', 'win32'), 'C:\\p\\.venv\\Scripts\\python.exe');
  assert.equal(environmentPython('/p/.conda', 'linux'), '/p/.conda/bin/python');
  assert.equal(environmentPython('C:\\p\\.conda', 'win32'), 'C:\\p\\.conda\\python.exe');
});

test('beside an old python3 newer ones are looked for by their full names', () => {
  const names = pathNames('linux').map(([name]) => name);
  assert.equal(names[0], 'python3');
  assert.ok(names.includes('python3.11') && names.includes('python3.10'));
  assert.deepEqual(pathNames('win32')[0], ['py', '-3']);
});
