// The state of a run as a sign and a word.

import type { Counts } from "../api";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { fill } from "../words";

const SIGNS: Record<string, string> = {
  complete: "✓",
  ended: "◑",
  partial: "◐",
  running: "●",
  failed: "✗",
  unreadable: "!",
};

export function StateSign({ state, counts }: { state: string; counts?: Counts }) {
  const { language, words } = useSettings();
  const isEnded = state === "ended" && counts !== undefined;
  const lacking = isEnded && counts.failed > 0 ? words.runs.endedFailed : words.runs.endedOpen;
  const lacks = isEnded ? counts.failed || counts.answered : 0;
  return (
    <span class={`state ${state in SIGNS ? state : ""}`}>
      <span aria-hidden="true">{SIGNS[state] ?? "·"}</span>{" "}
      {lacks ? fill(lacking, { n: count(lacks, language) }) : (words.states[state] ?? state)}
    </span>
  );
}
