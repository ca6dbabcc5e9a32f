import assert from 'node:assert/strict';
import test from 'node:test';
import type { Role } from '../src/protocol';
import { contentSecurityPolicy, timelineDocument } from '../src/timeline/document';
import { draw, drawingWidth, laneX, SHAPES, stateAfter } from '../src/timeline/drawing';
import { cut, letter } from '../src/timeline/view';

const at = (lane: number, role: Role): { lane: number; role: Role } => ({ lane, role });

test('a lane is held from the save to the change, and changed from there on', () => {
  const drawing = draw([at(0, 'saved'), at(1, 'built'), at(0, 'changed'), at(1, 'fails')], [10, 30, 50, 70], 2, 90);
  assert.deepEqual(drawing.segments.filter(({ lane }) => lane === 0).map(({ from, to, state }) => [from, to, state]), [
    [0, 10, 'before'], [10, 50, 'held'], [50, 90, 'changed'],
  ]);
  assert.deepEqual(drawing.segments.filter(({ lane }) => lane === 1).map(({ from, to, state }) => [from, to, state]), [
    [0, 30, 'before'], [30, 70, 'alive'],
  ]);
  assert.deepEqual(drawing.markers.map(({ x, y, role }) => [x, y, role]), [
    [laneX(0), 10, 'saved'], [laneX(1), 30, 'built'], [laneX(0), 50, 'changed'], [laneX(1), 70, 'fails'],
  ]);
  assert.equal(drawing.width, drawingWidth(2));
});

test('using what is held does not let it go, and changing what is freed shows', () => {
  assert.equal(stateAfter('held', 'used'), 'held');
  assert.equal(stateAfter('held', 'called'), 'held');
  assert.equal(stateAfter('changed', 'built'), 'changed');
  assert.equal(stateAfter('held', 'freed'), 'freed');
  assert.equal(stateAfter('before', 'fails'), 'alive');
});

test('no events, no lanes: an empty drawing', () => {
  assert.deepEqual(draw([], [], 0, 0), { width: drawingWidth(0), height: 0, segments: [], markers: [], leaders: [] });
});

test('each role has a shape of its own where colours fail', () => {
  const shapes = Object.entries(SHAPES).filter(([role]) => role !== 'used' && role !== 'kept').map(([, shape]) => shape);
  assert.equal(new Set(shapes).size, shapes.length);
});

test('a source line is cut at its range, without its indentation', () => {
  assert.deepEqual(cut('        loss.backward()  # now', 8, 23), { before: '', marked: 'loss.backward()', after: '  # now' });
  assert.deepEqual(cut('    y = sharpened(network, X)', 8, 29), { before: 'y = ', marked: 'sharpened(network, X)', after: '' });
  assert.deepEqual(cut('', 0, 5), { before: '', marked: '', after: '' });
  assert.deepEqual(cut('x = 1', 40, 50), { before: 'x = 1', marked: '', after: '' });
});

test('lanes have letters', () => {
  assert.deepEqual([0, 1, 25, 26, 27].map(letter), ['A', 'B', 'Z', 'A1', 'B1']);
});

test('the page may load its two files and nothing else', () => {
  const policy = contentSecurityPolicy('https://webview.test', 'n0nce');
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'nonce-n0nce'(;|$)/);
  assert.doesNotMatch(policy, /unsafe|\*|img-src|connect-src/);
  const html = timelineDocument({ cspSource: 'https://webview.test', nonce: 'n0nce', script: 'a.js?x=1&y=2', style: 'a.css', language: 'zh-cn', title: '<b>"x"</b>' });
  assert.match(html, /<html lang="zh-cn">/);
  assert.match(html, /&lt;b&gt;&quot;x&quot;&lt;\/b&gt;/);
  assert.match(html, /a\.js\?x=1&amp;y=2/);
  assert.doesNotMatch(html, /style="|onclick|<style/);
});
