// A run that goes on, in the list of runs.

import type { LiveRun } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { count, metricInterval, metricValue, money } from "../text/number";
import { fill, said } from "../words";
import { LiveBar, useLeft } from "./LiveBar";

export function LiveState({ run }: { run: LiveRun }) {
  const { language, words } = useSettings();
  const left = useLeft();
  const progress = { done: count(run.done, language), total: count(run.total, language) };
  return (
    <>
      <LiveBar run={run} isSmall />
      <small class="number">{fill(words.runs.progress, progress)}</small>
      <small class="number">{left(run)}</small>
      {run.counts.failed > 0 && (
        <small class="failed">{fill(words.runs.failed, { n: count(run.counts.failed, language) })}</small>
      )}
    </>
  );
}

/** The variants' values so far, and what was spent. */
export function LiveHeadline({ run }: { run: LiveRun }) {
  const { language, words } = useSettings();
  const shown = { kind: run.kind, unit: "" };
  const values = run.values.filter(({ value }) => value !== null).slice(0, 4);
  return (
    <>
      {run.metric && values.length > 0 && (
        <span class="value">{fill(words.live.soFar, { metric: said(run.metric, language) })}</span>
      )}
      {values.map((each) => (
        <span key={each.variant} class="finding">
          <PlainText text={each.variant} /> <strong class="number">{metricValue(each.value, shown, language)}</strong>{" "}
          <span class="number">{metricInterval(each.interval, shown, language)}</span>
        </span>
      ))}
      {run.ceiling !== null && (
        <span class="finding number">
          {words.live.spent}: {money(run.paid ?? 0, language)}{" "}
          {fill(words.live.ofCeiling, { amount: money(run.ceiling, language) })}
        </span>
      )}
    </>
  );
}
