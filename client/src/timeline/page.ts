/** The page of the panel: a list of events beside a drawing of their lanes. Runs in the webview; knows no VS Code but its messages. */

import { draw, drawingWidth, laneX, SHAPES } from './drawing';
import type { PageMessage, View, ViewEvent, ViewLane } from './view';

declare function acquireVsCodeApi(): { postMessage(message: PageMessage): void };

const vscode = acquireVsCodeApi();
const SVG = 'http://www.w3.org/2000/svg';
let observer: ResizeObserver | undefined;

window.addEventListener('message', ({ data }: MessageEvent<View>) => render(data));
vscode.postMessage({ kind: 'ready' });

function render(view: View): void {
  const main = document.getElementById('timeline');
  if (!main) return;
  const focused = document.activeElement?.getAttribute('data-event');
  observer?.disconnect();
  main.replaceChildren(head(view), legend(view), story(view));
  if (focused) main.querySelector<HTMLElement>(`[data-event="${focused}"]`)?.focus();
}

function head(view: View): HTMLElement {
  const header = element('header');
  const rule = element('button', 'rule', `${view.code} ${view.name}`);
  rule.title = view.words.rule;
  rule.addEventListener('click', () => vscode.postMessage({ kind: 'rule' }));
  header.append(rule, withCode(element('h1', `severity-${view.severity}`), view.title));
  if (view.consequence) header.append(withCode(element('p', 'consequence'), view.consequence));
  const gone = element('p', 'gone', view.gone ? view.words.gone : '');
  gone.setAttribute('role', 'status');
  header.append(gone);
  return header;
}

function legend({ lanes, words }: View): HTMLElement {
  const list = element('ul', 'lanes');
  list.setAttribute('aria-label', words.lanes);
  for (const lane of lanes) {
    const item = element('li', `kind-${lane.kind}`);
    item.append(element('b', 'letter', lane.letter), element('span', 'kind', lane.kindText));
    if (lane.label) item.append(element('code', '', lane.label));
    list.append(item);
  }
  return list;
}

function story(view: View): HTMLElement {
  const box = element('div', 'story');
  const list = element('ol', 'events');
  list.setAttribute('aria-label', view.words.events);
  let number = 0;
  const buttons = view.events.map((event, index) => {
    // A call is no event of its own: it says by which way the one above it was reached.
    const above = event.role === 'called' ? list.lastElementChild : null;
    const item = above ?? list.appendChild(element('li'));
    const button = event.role === 'called' ? callButton(event, index) : eventButton(event, index, ++number, view.lanes[event.lane]);
    item.append(button);
    return button;
  });
  list.addEventListener('keydown', (key) => moveFocus(key, buttons));
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  box.append(svg, list);
  const redraw = (): void => paint(svg, view, list, buttons);
  observer = new ResizeObserver(redraw);
  observer.observe(list);
  return box;
}

function eventButton(event: ViewEvent, index: number, number: number, lane: ViewLane | undefined): HTMLButtonElement {
  const button = placeButton(event, index);
  const top = element('span', 'top');
  top.append(element('span', 'number', String(number)), element('span', 'role', event.roleText));
  if (lane) top.append(element('span', 'lane', `${lane.letter} ${lane.label || lane.kindText}`));
  top.append(element('span', 'place', event.place));
  button.append(top, withCode(element('span', 'text'), event.text));
  if (event.marked) button.append(sourceLine(event));
  return button;
}

/** A call on one line. */
function callButton(event: ViewEvent, index: number): HTMLButtonElement {
  const button = placeButton(event, index);
  button.append(element('span', 'role', event.roleText));
  if (event.marked) button.append(sourceLine(event));
  button.append(element('span', 'place', event.place));
  return button;
}

function placeButton(event: ViewEvent, index: number): HTMLButtonElement {
  const button = element('button', `event role-${event.role}`);
  button.dataset['event'] = String(index);
  button.tabIndex = index === 0 ? 0 : -1;
  button.addEventListener('click', () => vscode.postMessage({ kind: 'open', event: index }));
  return button;
}

function sourceLine(event: ViewEvent): HTMLElement {
  const source = element('code', 'source');
  source.append(event.before, element('mark', '', event.marked), event.after);
  return source;
}

/** Arrow keys walk through the events; Tab leaves them. */
function moveFocus(key: KeyboardEvent, buttons: readonly HTMLButtonElement[]): void {
  const at = buttons.findIndex((button) => button === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[key.key];
  const target = to === undefined ? undefined : buttons[to];
  if (!target) return;
  key.preventDefault();
  for (const button of buttons) button.tabIndex = button === target ? 0 : -1;
  target.focus();
}

function paint(svg: SVGSVGElement, view: View, list: HTMLElement, buttons: readonly HTMLElement[]): void {
  const top = list.getBoundingClientRect().top;
  const drawn = view.events.flatMap((event, index) => {
    const box = buttons[index]?.getBoundingClientRect();
    return event.role === 'called' || !box ? [] : [{ event, y: box.top - top + Math.min(box.height / 2, 22) }];
  });
  const events = drawn.map(({ event }) => event);
  const drawing = draw(events, drawn.map(({ y }) => y), view.lanes.length, list.offsetHeight);
  const HEAD = 22;
  svg.setAttribute('width', String(drawingWidth(view.lanes.length)));
  svg.setAttribute('height', String(drawing.height + HEAD));
  const shapes: SVGElement[] = view.lanes.map((lane, index) => {
    const text = svgElement('text', `lane-head kind-${lane.kind}`, { x: laneX(index), y: 14, 'text-anchor': 'middle' });
    text.textContent = lane.letter;
    return text;
  });
  const body = svgElement('g', '', { transform: `translate(0 ${HEAD})` });
  for (const { x, y, to, event } of drawing.leaders) {
    body.append(svgElement('path', `leader role-${events[event]?.role ?? ''}`, { d: `M${x} ${y}H${to}` }));
  }
  for (const { lane, from, to, state } of drawing.segments) {
    body.append(svgElement('path', `lane lane-${state}`, { d: `M${laneX(lane)} ${from}V${to}` }));
  }
  for (const { x, y, role } of drawing.markers) {
    body.append(svgElement('path', `marker role-${role}`, { d: SHAPES[role], transform: `translate(${x} ${y})` }));
  }
  svg.replaceChildren(...shapes, body);
}

/** Text in which `backticks` mark code. */
function withCode<T extends HTMLElement>(target: T, text: string): T {
  text.split('`').forEach((part, index) => target.append(index % 2 === 1 ? element('code', '', part) : part));
  return target;
}

function element<K extends keyof HTMLElementTagNameMap>(tag: K, className = '', text?: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function svgElement(tag: string, className: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  if (className) made.setAttribute('class', className);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
