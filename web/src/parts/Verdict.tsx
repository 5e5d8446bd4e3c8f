// The words for who is better: a sign, a colour and a word together.

import { verdictWord } from "../words/named";

const SIGNS: Record<string, string> = { better: "▲", worse: "▼", same: "=", "same, too few": "○", unclear: "○", untested: "○", "too few": "○", equivalent: "≈", undecided: "○" };

export function Verdict({ verdict }: { verdict: string }) {
  const name = verdict in SIGNS ? verdict.replace(/\W+/g, "-") : "";
  return (
    <span class={`verdict ${name}`}>
      <span aria-hidden="true">{SIGNS[verdict] ?? ""}</span> {verdictWord(verdict)}
    </span>
  );
}
