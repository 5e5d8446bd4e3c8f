// The state of a run as a sign and a word.

import type { Counts } from "../api";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { t } from "../words";
import { stateWord } from "../words/named";

const SIGNS: Record<string, string> = {
  complete: "✓",
  ended: "◑",
  partial: "◐",
  running: "●",
  failed: "✗",
  unreadable: "!",
};

export function StateSign({ state, counts }: { state: string; counts?: Counts }) {
  const { language } = useSettings();
  const isEnded = state === "ended" && counts !== undefined;
  const fields = (n: number): { n: string } => ({ n: count(n, language) });
  const lacks = !isEnded ? "" : counts.failed ? t("finished, {n} failed", fields(counts.failed)) : counts.answered ? t("finished, {n} not judged", fields(counts.answered)) : "";
  return (
    <span class={`state ${state in SIGNS ? state : ""}`}>
      <span aria-hidden="true">{SIGNS[state] ?? "·"}</span>{" "}
      {lacks || stateWord(state)}
    </span>
  );
}
