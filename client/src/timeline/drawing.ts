/** The geometry of the drawing: lanes run from top to bottom, an event sits on its lane at the height of its text. */

import type { Role } from '../protocol';

/** How a lane is between two events. */
export type LaneState = 'before' | 'alive' | 'held' | 'changed' | 'freed';

export interface Segment {
  readonly lane: number;
  readonly from: number;
  readonly to: number;
  readonly state: LaneState;
}

export interface Marker {
  readonly event: number;
  readonly x: number;
  readonly y: number;
  readonly role: Role;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly segments: readonly Segment[];
  readonly markers: readonly Marker[];
  /** From each marker to its text. */
  readonly leaders: readonly { readonly event: number; readonly x: number; readonly y: number; readonly to: number }[];
}

export const LANE_WIDTH = 28;
const MARGIN = 16;

/** The middle of a lane. */
export function laneX(lane: number): number {
  return MARGIN + lane * LANE_WIDTH;
}

/** The width of the drawing for so many lanes. */
export function drawingWidth(lanes: number): number {
  return 2 * MARGIN + Math.max(0, lanes - 1) * LANE_WIDTH;
}

// A fails or called event tells nothing new about its lane.
const AFTER: Partial<Record<Role, LaneState>> = { built: 'alive', used: 'alive', kept: 'held', saved: 'held', changed: 'changed', freed: 'freed', cut: 'freed' };

/** How the lane is after an event; what is held stays held when it is merely used, and what is changed stays changed. */
export function stateAfter(state: LaneState, role: Role): LaneState {
  const next = AFTER[role];
  if (next === undefined) return state === 'before' ? 'alive' : state;
  if (next === 'alive') return state === 'before' ? 'alive' : state;
  return next;
}

/** Draws the events, whose middles lie at `ys`, on `lanes` lanes of the given height. */
export function draw(events: readonly { readonly lane: number; readonly role: Role }[], ys: readonly number[], lanes: number, height: number): Drawing {
  const width = drawingWidth(lanes);
  const states = new Array<LaneState>(lanes).fill('before');
  const tops = new Array<number>(lanes).fill(0);
  const ended = new Set<number>();
  const segments: Segment[] = [];
  const markers: Marker[] = [];
  const push = (lane: number, to: number): void => {
    const from = tops[lane] ?? 0;
    if (to > from) segments.push({ lane, from, to, state: states[lane] ?? 'before' });
    tops[lane] = to;
  };
  events.forEach(({ lane, role }, event) => {
    const y = ys[event] ?? 0;
    push(lane, y);
    if (role === 'fails') ended.add(lane);
    else ended.delete(lane);
    states[lane] = stateAfter(states[lane] ?? 'before', role);
    markers.push({ event, x: laneX(lane), y, role });
  });
  // What fails goes no further.
  for (let lane = 0; lane < lanes; lane++) if (!ended.has(lane)) push(lane, height);
  const leaders = markers.map(({ event, x, y }) => ({ event, x, y, to: width }));
  return { width, height, segments, markers, leaders };
}

/** The outline of a role's marker around the origin; shapes differ so that nobody needs the colours. */
export const SHAPES: Record<Role, string> = {
  built: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z',
  saved: 'M-6 -6H6V6H-6z',
  changed: 'M0 -8L8 6H-8z',
  freed: 'M0 -8L8 0L0 8L-8 0z',
  called: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z',
  used: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z',
  cut: 'M-8 -3H8V3H-8z',
  kept: 'M-6 -6H6V6H-6z',
  fails: 'M-7 -4L-4 -7L0 -3L4 -7L7 -4L3 0L7 4L4 7L0 3L-4 7L-7 4L-3 0z',
};
