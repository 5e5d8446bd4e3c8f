// A value of a metric; "–" with the reason if it is undefined.

import type { Said } from "../api";
import { useSettings } from "../state/settings";
import { MISSING } from "../look";
import { metricValue, type Shown } from "../text/number";
import { show, t } from "../words";

export function Value({ value, shown, reason }: { value: number | null; shown: Shown; reason?: Said | null }) {
  const { language } = useSettings();
  const text = metricValue(value, shown, language);
  if (text !== MISSING) return <span class="number">{text}</span>;
  const why = reason ? t("Undefined: {reason}", { reason: show(reason) }) : t("Undefined for these cases; not zero");
  return (
    <span class="number undefined" title={why}>
      <span aria-hidden="true">{MISSING}</span>
      <span class="unseen">{why}</span>
    </span>
  );
}
