// Characters that could change how a text is read without being seen themselves: control and ANSI
// characters, marks of direction, and separators. They are shown as their escapes.

const HIDDEN =
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

export interface Piece {
  readonly text: string;
  readonly isEscape: boolean;
}

/** How a hidden character is written: `\x1b` or `\u202e`. */
function escapeOf(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** The text in pieces: stretches that are shown as they are, and escapes. */
export function pieces(text: string): Piece[] {
  const clean = text.replaceAll("\r\n", "\n");
  const found: Piece[] = [];
  let end = 0;
  for (const match of clean.matchAll(HIDDEN)) {
    if (match.index > end) found.push({ text: clean.slice(end, match.index), isEscape: false });
    found.push({ text: escapeOf(match[0]), isEscape: true });
    end = match.index + 1;
  }
  if (end < clean.length) found.push({ text: clean.slice(end), isEscape: false });
  return found;
}

/** The text as one string with visible escapes, for attributes and for drawings. */
export function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(HIDDEN, escapeOf);
}

/** The text on one line. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}

/** A name that is too long without its middle: variants often differ at the end only. */
export function shortened(name: string, most: number): string {
  const letters = Array.from(name);
  if (letters.length <= most) return name;
  const start = Math.floor((most - 1) / 3);
  return `${letters.slice(0, start).join("")}…${letters.slice(start - most + 1).join("")}`;
}
