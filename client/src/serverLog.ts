/** What the server writes to its standard error, line by line, at the level that each line begins with. */

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The part of a log channel that is needed. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

const LEVELS: Record<string, keyof Log> = { DEBUG: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error', CRITICAL: 'error' };

/** Follows the stream until it ends. A line without a level (a traceback's) goes with the line before it. */
export function logLines(stream: Readable, log: Log): void {
  let level: keyof Log = 'error';
  createInterface({ input: stream }).on('line', (line) => {
    const [, word = '', text = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    const named = LEVELS[word];
    level = named ?? level;
    log[level](named ? text : line);
  });
}
