// Values by variant with intervals, marks and counts.

import type { Cell, MetricInfo, RunView, VariantView } from "../api";
import { useSettings } from "../state/settings";
import { count, metricInterval, metricValue } from "../text/number";
import { show, t } from "../words";
import { shownEnds } from "./CountsLine";
import { PlainText } from "./PlainText";
import { TableFrame } from "./TableFrame";
import { Value } from "./Value";
import { endWord } from "../words/named";

export function MetricTable({ run, metrics }: { run: RunView; metrics: readonly MetricInfo[] }) {
  const counts = shownEnds(run.variants.map((variant) => variant.counts));
  return (
    <TableFrame label={t("Values")} columns={1 + metrics.length + counts.length}>
      <table class="metrics">
        <thead>
          <tr>
            <th scope="col" class="sticky">
              {t("Variant")}
            </th>
            {metrics.map((metric) => (
              <th key={metric.name} scope="col" class="right" title={metric.formula}>
                {show(metric.title)}
                {metric.higher_is_better !== null && (
                  <span class="faint" aria-hidden="true">
                    {metric.higher_is_better ? " ↑" : " ↓"}
                  </span>
                )}
              </th>
            ))}
            {counts.map((name) => (
              <th key={name} scope="col" class="right count">
                {endWord(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {run.variants.map((variant) => (
            <Row key={variant.name} variant={variant} isAlone={run.variants.length === 1} metrics={metrics} counts={counts} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

interface RowProps {
  readonly variant: VariantView;
  readonly isAlone: boolean;
  readonly metrics: readonly MetricInfo[];
  readonly counts: ReturnType<typeof shownEnds>;
}

function Row({ variant, isAlone, metrics, counts }: RowProps) {
  const { language } = useSettings();
  return (
    <tr class={variant.is_baseline ? "baseline" : ""}>
      <th scope="row" class="sticky">
        <PlainText text={variant.name} />
        {variant.is_baseline && !isAlone && <span class="tag">{t("baseline")}</span>}
      </th>
      {metrics.map((metric) => (
        <td key={metric.name} class="right">
          <MetricCell cell={variant.cells[metric.name]} metric={metric} />
        </td>
      ))}
      {counts.map((name) => (
        <td key={name} class={`right count number ${variant.counts[name] > 0 ? name : "faint"}`}>
          {count(variant.counts[name], language)}
        </td>
      ))}
    </tr>
  );
}

/** Whether a value is the best or the worst of its column. */
export function markWord(mark: "best" | "worst"): string {
  return mark === "best" ? t("best") : t("worst");
}

function MetricCell({ cell, metric }: { cell: Cell | undefined; metric: MetricInfo }) {
  const { language } = useSettings();
  const reason = cell?.reason ?? metric.undefined;
  const mark = cell?.is_best ? "best" : cell?.is_worst ? "worst" : "";
  return (
    <span class={`metric-cell ${mark}`} title={cell ? `n = ${count(cell.n, language)}` : undefined}>
      {mark && (
        <span class="mark" title={markWord(mark)}>
          <span aria-hidden="true">{mark === "best" ? "▲" : "▽"}</span>
          <span class="unseen">{markWord(mark)}</span>
        </span>
      )}
      <Value value={cell?.value ?? null} shown={metric} reason={reason} />
      <small class="number">{metricInterval(cell?.interval, metric, language)}</small>
      {cell?.band && (
        <small class="band faint">
          {t("{n} unsure: {band}", {
            n: count(cell.unsure, language),
            band: metricInterval(cell.band, metric, language),
          })}
        </small>
      )}
      {cell?.corrected && (
        <small class="band faint">
          {t("corrected by {n} labels: {value}", {
            n: count(cell.corrected.labelled, language),
            value: `${metricValue(cell.corrected.value, metric, language)} ${metricInterval(cell.corrected.interval, metric, language)}`,
          })}
        </small>
      )}
    </span>
  );
}
