// The difference of two texts by word, after Myers (1986): the shortest list of words that were
// taken out and put in.

import { tokens } from "./token";

export type ChangeKind = "same" | "removed" | "added";

export interface Change {
  readonly kind: ChangeKind;
  readonly text: string;
}

/** More edits than this say nothing to a reader, and would hold up the page. */
const MOST_EDITS = 1200;

/** How `before` becomes `after`; `null` if they have too little in common to be worth showing. */
export function wordDifference(before: string, after: string): Change[] | null {
  const a = tokens(before);
  const b = tokens(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end++;
  const middle = shortestEdit(a.slice(start, a.length - end), b.slice(start, b.length - end));
  if (middle === null) return null;
  const changes: Change[] = [
    ...a.slice(0, start).map((text): Change => ({ kind: "same", text })),
    ...middle,
    ...a.slice(a.length - end).map((text): Change => ({ kind: "same", text })),
  ];
  return joined(bridged(changes));
}

/** The share of words that both texts have, from 0 to 1. */
export function sharedPart(changes: readonly Change[]): number {
  let same = 0;
  let all = 0;
  for (const { kind, text } of changes) {
    if (!text.trim()) continue;
    const weight = kind === "same" ? 2 * text.length : text.length;
    all += weight;
    if (kind === "same") same += weight;
  }
  return all ? same / all : 1;
}

function shortestEdit(a: readonly string[], b: readonly string[]): Change[] | null {
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const centre = most + 1;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice(centre - edits - 1, centre + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(reach, centre + k - 1) < at(reach, centre + k + 1));
      let x = down ? at(reach, centre + k + 1) : at(reach, centre + k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[centre + k] = x;
      if (x >= a.length && x - k >= b.length) return walkedBack(a, b, trace);
    }
  }
  return null;
}

function walkedBack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): Change[] {
  const changes: Change[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] as Int32Array;
    const centre = edits + 1;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(reach, centre + k - 1) < at(reach, centre + k + 1));
    const before = down ? k + 1 : k - 1;
    const startX = edits === 0 ? 0 : at(reach, centre + before);
    const startY = startX - before;
    while (x > startX && y > startY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      changes.push({ kind: "same", text: a[--x] as string });
      y--;
    }
    if (edits === 0) break;
    if (down) changes.push({ kind: "added", text: b[--y] as string });
    else changes.push({ kind: "removed", text: a[--x] as string });
  }
  return changes.reverse();
}

function at(array: Int32Array, index: number): number {
  return array[index] as number;
}

/** A space or a mark between two changes belongs to them: "the ~cat sat~" instead of "~cat~ ~sat~". */
function bridged(changes: readonly Change[]): Change[] {
  const result: Change[] = [];
  changes.forEach((change, index) => {
    const inside = change.kind === "same" && /^\s+$/.test(change.text);
    const around = inside && isChange(changes[index - 1]) && isChange(changes[index + 1]);
    if (!around) result.push(change);
    else result.push({ kind: "removed", text: change.text }, { kind: "added", text: change.text });
  });
  return result;
}

function isChange(change: Change | undefined): boolean {
  return change !== undefined && change.kind !== "same";
}

/** Neighbours of one kind are one stretch; of a stretch of changes, what was removed comes first. */
function joined(changes: readonly Change[]): Change[] {
  const result: Change[] = [];
  let removed = "";
  let added = "";
  let same = "";
  const flush = (): void => {
    if (removed) result.push({ kind: "removed", text: removed });
    if (added) result.push({ kind: "added", text: added });
    removed = added = "";
  };
  for (const { kind, text } of changes) {
    if (kind === "same") {
      flush();
      same += text;
      continue;
    }
    if (same) result.push({ kind: "same", text: same });
    same = "";
    if (kind === "removed") removed += text;
    else added += text;
  }
  flush();
  if (same) result.push({ kind: "same", text: same });
  return result;
}
