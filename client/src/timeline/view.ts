/** What the panel sends to its page: the timeline with the words and source lines around it. Plain data. */

import type { LaneKind, Role } from '../protocol';

export interface ViewLane {
  /** `A`, `B`, …: names the lane in the drawing, where its label has no room. */
  readonly letter: string;
  readonly kind: LaneKind;
  readonly kindText: string;
  readonly label: string;
}

export interface ViewEvent {
  readonly lane: number;
  readonly role: Role;
  readonly roleText: string;
  readonly text: string;
  /** `model.py:47` */
  readonly place: string;
  /** The line of source, cut at the range that is meant; empty parts where it cannot be read. */
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

export interface View {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  readonly consequence: string;
  readonly severity: string;
  readonly lanes: readonly ViewLane[];
  readonly events: readonly ViewEvent[];
  readonly words: { readonly lanes: string; readonly events: string; readonly rule: string; readonly gone: string };
  /** Whether the finding is no longer in the file; the last picture stays. */
  readonly gone: boolean;
}

/** What the page tells the panel. */
export type PageMessage = { readonly kind: 'ready' } | { readonly kind: 'open'; readonly event: number } | { readonly kind: 'rule' };

/** `A` to `Z`, then `A1`… */
export function letter(index: number): string {
  const name = String.fromCharCode(65 + (index % 26));
  return index < 26 ? name : `${name}${Math.floor(index / 26)}`;
}

/** A source line cut at a range (columns from 0, in UTF-16 units), without its indentation. */
export function cut(line: string, start: number, end: number): { before: string; marked: string; after: string } {
  const indent = line.length - line.trimStart().length;
  const from = Math.max(start, indent);
  const to = Math.max(from, Math.min(end, line.trimEnd().length));
  return { before: line.slice(indent, from), marked: line.slice(from, to), after: line.slice(to).trimEnd() };
}
