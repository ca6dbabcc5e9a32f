/** Recognises tracebacks in pasted text. */

/** Whether the text holds a traceback of Python, or at least the line of an error. */
export function looksLikeTraceback(text: string): boolean {
  return /^\s*Traceback \(most recent call last\)/m.test(text) || /^\s*(?:[\w.]*Error|[\w.]*Exception): \S/m.test(text);
}

/** The first text that looks like a traceback, or undefined. */
export function firstTraceback(texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && looksLikeTraceback(text));
}
