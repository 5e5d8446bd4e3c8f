// A small sign for how a case ended or compares; its meaning is in words for screen readers.

import type { ItemCell } from "../api";
import { t, tx } from "../words";


const SIGNS = {
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
} as const;

export type SignName = keyof typeof SIGNS;

function meanings(): Record<SignName, string> {
  return {
    better: t("better than the baseline"),
    worse: t("worse than the baseline"),
    same: t("same as the baseline"),
    abstained: t("abstained"),
    failed: tx("state", "failed"),
    skipped: t("skipped"),
    unparsed: t("unparsed"),
    answered: t("not judged"),
    spared: t("spared"),
    absent: t("not asked"),
  };
}

/** The sign of a case: how it ended, or how it compares. */
export function signOf(cell: Pick<ItemCell, "status" | "mark" | "is_abstained">): SignName | null {
  if (cell.status !== "scored") return cell.status;
  if (cell.is_abstained) return "abstained";
  return cell.mark || null;
}

/** The mark of a case with a score that a check is unsure of. */
export function Unsure() {
  return (
    <span class="sign unsure" role="img" aria-label={t("unsure")} title={t("unsure")}>
      ~
    </span>
  );
}

export function Sign({ name }: { name: SignName | null }) {
  if (!name) return <span class="sign" />;
  const meaning = meanings()[name];
  return (
    <span class={`sign ${name}`} role="img" aria-label={meaning} title={meaning}>
      {SIGNS[name]}
    </span>
  );
}
