import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { expand } from '../src/expand';
import { logLines } from '../src/serverLog';
import { firstTraceback, looksLikeTraceback } from '../src/traceback';

test('tracebacks are told from other texts', () => {
  assert.ok(looksLikeTraceback('Traceback (most recent call last):\n  File "a.py", line 1\nRuntimeError: one of the variables'));
  assert.ok(looksLikeTraceback('RuntimeError: Trying to backward through the graph a second time'));
  assert.ok(looksLikeTraceback('torch.autograd.gradcheck.GradcheckError: no'));
  assert.ok(!looksLikeTraceback('loss.backward()'));
  assert.ok(!looksLikeTraceback('raise ValueError'));
  assert.equal(firstTraceback([undefined, 'x = 1', 'ValueError: no', 'TypeError: no']), 'ValueError: no');
  assert.equal(firstTraceback([undefined, '']), undefined);
});

test('variables in paths', () => {
  assert.equal(expand('${workspaceFolder}/.venv/bin/python', '/w', '/h'), '/w/.venv/bin/python');
  assert.equal(expand('~/python', undefined, '/h'), '/h/python');
  assert.equal(expand('${userHome}/a~b', undefined, '/h$&'), '/h$&/a~b');
});

test('what the server writes is logged at the level it names', async () => {
  const said: string[] = [];
  const log = { debug: (t: string) => said.push(`d ${t}`), info: (t: string) => said.push(`i ${t}`), warn: (t: string) => said.push(`w ${t}`), error: (t: string) => said.push(`e ${t}`) };
  logLines(Readable.from(['INFO ready\nWARNING odd\n  more\nERROR bad: x\n', 'Traceback\nsome words']), log);
  await pause(50);
  assert.deepEqual(said, ['i ready', 'w odd', 'w   more', 'e bad: x', 'e Traceback', 'e some words']);
});
