// Marked stretches of a text. Places count code points, as Python does; a string here counts UTF-16.

export interface Stretch {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The text cut at the ends of the spans; spans may overlap, touch, or run past the end. */
export function stretches(text: string, spans: readonly (readonly [number, number])[]): Stretch[] {
  if (!spans.length) return text ? [{ text, isMarked: false }] : [];
  const characters = Array.from(text);
  const found: Stretch[] = [];
  let at = 0;
  for (const [start, end] of merged(spans, characters.length)) {
    if (start > at) found.push({ text: characters.slice(at, start).join(""), isMarked: false });
    found.push({ text: characters.slice(start, end).join(""), isMarked: true });
    at = end;
  }
  if (at < characters.length) found.push({ text: characters.slice(at).join(""), isMarked: false });
  return found;
}

/** The number of code points of a text. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}

function merged(spans: readonly (readonly [number, number])[], length: number): [number, number][] {
  const sorted = spans
    .map(([start, end]): [number, number] => [Math.max(0, start), Math.min(length, end)])
    .filter(([start, end]) => end > start)
    .sort((a, b) => a[0] - b[0]);
  const result: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = result[result.length - 1];
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
