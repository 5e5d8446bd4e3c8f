// The stretch of an answer that a reader has selected, in code points of the answer itself: the page
// shows hidden characters as escapes, so places on the screen are not places of the text.

import { visible } from "../text/visible";

/** For each place of the shown text (UTF-16), the code point of the text that is shown there. */
export function places(text: string): number[] {
  const found: number[] = [];
  const characters = Array.from(text);
  characters.forEach((character, at) => {
    if (character === "\r" && characters[at + 1] === "\n") return; // shown as one newline
    for (let unit = 0; unit < visible(character).length; unit++) found.push(at);
  });
  found.push(characters.length);
  return found;
}

/** The selected stretch inside an element that shows the whole text; null if there is none. */
export function selectedSpan(element: HTMLElement | null, text: string): readonly [number, number] | null {
  const selection = document.getSelection();
  if (!element || !selection || selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!element.contains(range.startContainer) || !element.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  const end = start + range.toString().length;
  const known = places(text);
  const first = known[Math.min(start, known.length - 1)] ?? 0;
  const last = known[Math.min(end, known.length - 1)] ?? 0;
  const isInside = end > 0 && known[end - 1] === last; // the end is in the middle of an escape
  return last > first || isInside ? [first, isInside ? last + 1 : last] : null;
}
