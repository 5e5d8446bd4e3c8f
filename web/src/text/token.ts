// Words by script: letters and digits of alphabets run together; Han text is cut by the browser's
// dictionary, or into characters where it has none; punctuation and spaces stand alone.

const RUNS = /[\p{Script=Han}\u3005\u3007]+|[\p{L}\p{M}\p{N}_]+(?:[.,'’-][\p{L}\p{M}\p{N}_]+)*|\s+|[^]/gu;
const HAN = /^[\p{Script=Han}\u3005\u3007]/u;
const HAN_INSIDE = /[\p{Script=Han}\u3005\u3007]+|[^\p{Script=Han}\u3005\u3007]+/gu;

let segmenter: Intl.Segmenter | null | undefined;

function hanWords(text: string): string[] {
  if (segmenter === undefined) {
    segmenter = "Segmenter" in Intl ? new Intl.Segmenter("zh", { granularity: "word" }) : null;
  }
  if (segmenter === null) return Array.from(text);
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** The words, spaces and marks of a text, in order; joined they are the text. */
export function tokens(text: string): string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(RUNS)) {
    if (!/\p{Script=Han}/u.test(run)) {
      found.push(run);
      continue;
    }
    for (const [part] of run.matchAll(HAN_INSIDE)) {
      if (HAN.test(part)) found.push(...hanWords(part));
      else found.push(part);
    }
  }
  return found;
}
