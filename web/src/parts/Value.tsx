// A value of a metric; "–" with the reason if it is undefined.

import type { Text } from "../api";
import { useSettings } from "../state/settings";
import { MISSING } from "../look";
import { metricValue, type Shown } from "../text/number";
import { fill, said } from "../words";

export function Value({ value, shown, reason }: { value: number | null; shown: Shown; reason?: Text | null }) {
  const { language, words } = useSettings();
  const text = metricValue(value, shown, language);
  if (text !== MISSING) return <span class="number">{text}</span>;
  const why = reason ? fill(words.undefinedWhy, { reason: said(reason, language) }) : words.undefinedPlain;
  return (
    <span class="number undefined" title={why}>
      <span aria-hidden="true">{MISSING}</span>
      <span class="unseen">{why}</span>
    </span>
  );
}
