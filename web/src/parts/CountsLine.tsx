// How many cases ended in which way; zeros of rare ends are left out.

import type { Counts } from "../api";
import { useSettings } from "../state/settings";
import { count } from "../text/number";

const ENDS = ["scored", "answered", "failed", "skipped", "unparsed", "spared"] as const;
const ALWAYS: readonly string[] = ["scored", "failed", "skipped"];

export function CountsLine({ counts }: { counts: Counts }) {
  const { language, words } = useSettings();
  const shown = ENDS.filter((name) => counts[name] > 0 || ALWAYS.includes(name));
  return (
    <span class="counts">
      {shown.map((name, index) => (
        <span key={name} class={counts[name] > 0 ? name : ""}>
          {index > 0 && " · "}
          {count(counts[name], language)} {words.counts[name]}
        </span>
      ))}
    </span>
  );
}
