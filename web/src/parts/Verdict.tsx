// The words for who is better: a sign, a colour and a word together.

import { useSettings } from "../state/settings";

const SIGNS: Record<string, string> = { better: "▲", worse: "▼", same: "=", "same, too few": "○", unclear: "○", untested: "○", "too few": "○", equivalent: "≈", undecided: "○" };

export function Verdict({ verdict }: { verdict: string }) {
  const { words } = useSettings();
  const name = verdict in SIGNS ? verdict.replace(/\W+/g, "-") : "";
  return (
    <span class={`verdict ${name}`}>
      <span aria-hidden="true">{SIGNS[verdict] ?? ""}</span> {words.verdicts[verdict] ?? verdict}
    </span>
  );
}
