// A run that goes on, in the list of runs.

import type { LiveRun } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { count, metricInterval, metricValue, money } from "../text/number";
import { show, t } from "../words";
import { LiveBar, useLeft } from "./LiveBar";

export function LiveState({ run }: { run: LiveRun }) {
  const { language } = useSettings();
  const left = useLeft();
  const progress = { done: count(run.done, language), total: count(run.total, language) };
  return (
    <>
      <LiveBar run={run} isSmall />
      <small class="number">{t("{done} of {total}", progress)}</small>
      <small class="number">{left(run)}</small>
      {run.counts.failed > 0 && (
        <small class="failed">{t("{n} failed", { n: count(run.counts.failed, language) })}</small>
      )}
    </>
  );
}

/** The variants' values so far, and what was spent. */
export function LiveHeadline({ run }: { run: LiveRun }) {
  const { language } = useSettings();
  const shown = { kind: run.kind, unit: "" };
  const values = run.values.filter(({ value }) => value !== null).slice(0, 4);
  return (
    <>
      {run.metric && values.length > 0 && (
        <span class="value">{t("{metric}, so far", { metric: show(run.metric) })}</span>
      )}
      {values.map((each) => (
        <span key={each.variant} class="finding">
          <PlainText text={each.variant} /> <strong class="number">{metricValue(each.value, shown, language)}</strong>{" "}
          <span class="number">{metricInterval(each.interval, shown, language)}</span>
        </span>
      ))}
      {run.ceiling !== null && (
        <span class="finding number">
          {t("Spent")}: {money(run.paid ?? 0, language)}{" "}
          {t("of {amount} at most", { amount: money(run.ceiling, language) })}
        </span>
      )}
    </>
  );
}
