// How many cases ended in which way; zeros of rare ends are left out.

import type { Counts } from "../api";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { endWord } from "../words/named";

const ENDS = ["scored", "answered", "failed", "skipped", "unparsed", "spared"] as const;
const ALWAYS: readonly string[] = ["scored", "failed", "skipped"];

/** The ends that are named for some counts. */
export function shownEnds(all: readonly Counts[]): (typeof ENDS)[number][] {
  return ENDS.filter((name) => ALWAYS.includes(name) || all.some((counts) => counts[name] > 0));
}

export function CountsLine({ counts }: { counts: Counts }) {
  const { language } = useSettings();
  const shown = shownEnds([counts]);
  return (
    <span class="counts">
      {shown.map((name, index) => (
        <span key={name} class={counts[name] > 0 ? name : ""}>
          {index > 0 && " · "}
          {count(counts[name], language)} {endWord(name)}
        </span>
      ))}
    </span>
  );
}
