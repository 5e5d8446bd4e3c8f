// A small sign for how a case ended or compares; its meaning is in words for screen readers.

import type { ItemCell } from "../api";
import { useSettings } from "../state/settings";
import type { Words } from "../words";

export type SignName = keyof Words["marks"];

const SIGNS: Record<SignName, string> = {
  better: "▲",
  worse: "▼",
  same: "=",
  abstained: "∅",
  failed: "✗",
  skipped: "»",
  unparsed: "?",
  answered: "…",
  spared: "·",
  absent: "·",
};

/** The sign of a case: how it ended, or how it compares. */
export function signOf(cell: Pick<ItemCell, "status" | "mark" | "is_abstained">): SignName | null {
  if (cell.status !== "scored") return cell.status;
  if (cell.is_abstained) return "abstained";
  return cell.mark || null;
}

export function Sign({ name }: { name: SignName | null }) {
  const { words } = useSettings();
  if (!name) return <span class="sign" />;
  return (
    <span class={`sign ${name}`} role="img" aria-label={words.marks[name]} title={words.marks[name]}>
      {SIGNS[name]}
    </span>
  );
}
