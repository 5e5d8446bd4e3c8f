// The primary metric of each variant so far, with its interval. No verdict: the run has not ended.

import type { Interval, LiveRun, LiveValue } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { count, metricInterval, metricValue } from "../text/number";
import { show, t } from "../words";

export function LiveValues({ run }: { run: LiveRun }) {
  if (!run.metric || !run.values.length) return null;
  if (run.values.every(({ value }) => value === null))
    return <p class="note live-values">{t("{metric} has no value so far: no answer has what it needs.", { metric: show(run.metric) })}</p>;
  const scale = scaleOf(run);
  return (
    <div class="live-values">
      <h2>{t("{metric}, so far", { metric: show(run.metric) })}</h2>
      <table>
        <thead class="unseen">
          <tr>
            <th scope="col">{t("Variant")}</th>
            <th scope="col">{t("value")}</th>
            <th scope="col">{t("95% interval")}</th>
            <th scope="col">{t("n")}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {run.values.map((each) => (
            <Row key={each.variant} each={each} run={run} scale={scale} />
          ))}
        </tbody>
      </table>
      <p class="note">{t("With 95% intervals, as far as the run is. Verdicts come at the end: who looks after every question finds a difference sooner or later.")}</p>
    </div>
  );
}

function Row({ each, run, scale }: { each: LiveValue; run: LiveRun; scale: Interval }) {
  const { language } = useSettings();
  const shown = { kind: run.kind, unit: "" };
  return (
    <tr>
      <th scope="row">
        <PlainText text={each.variant} />
        {each.is_baseline && <span class="tag">{t("baseline")}</span>}
      </th>
      <td class="number value">{metricValue(each.value, shown, language)}</td>
      <td class="number faint">{metricInterval(each.interval, shown, language)}</td>
      <td class="number faint n">
        {t("n")} = {count(each.n, language)}
      </td>
      <td class="drawn">
        <Whisker each={each} scale={scale} />
      </td>
    </tr>
  );
}

/** The interval as a line and the value as a point, on the scale that all variants share. */
function Whisker({ each, scale }: { each: LiveValue; scale: Interval }) {
  if (each.value === null) return null;
  const place = (value: number): number => 4 + (192 * (value - scale.low)) / (scale.high - scale.low || 1);
  const low = place(each.interval?.low ?? each.value);
  const high = place(each.interval?.high ?? each.value);
  return (
    <svg viewBox="0 0 200 16" preserveAspectRatio="none" aria-hidden="true">
      <line class="axis" x1="4" x2="196" y1="8" y2="8" />
      <line class="range" x1={low} x2={high} y1="8" y2="8" />
      <line class="value" x1={place(each.value)} x2={place(each.value)} y1="3" y2="13" />
    </svg>
  );
}

function scaleOf(run: LiveRun): Interval {
  if (run.kind === "rate" || run.kind === "share") return { low: 0, high: 1 };
  const ends = run.values.flatMap(({ value, interval }) => [value, interval?.low, interval?.high]);
  const numbers = ends.filter((end): end is number => end !== null && end !== undefined);
  return { low: Math.min(0, ...numbers), high: Math.max(...numbers) };
}
