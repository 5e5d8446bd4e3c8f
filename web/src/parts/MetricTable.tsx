// Values by variant with intervals, marks and counts.

import type { Cell, MetricInfo, RunView, VariantView } from "../api";
import { useSettings } from "../state/settings";
import { count, metricInterval, metricValue } from "../text/number";
import { fill, said } from "../words";
import { shownEnds } from "./CountsLine";
import { PlainText } from "./PlainText";
import { TableFrame } from "./TableFrame";
import { Value } from "./Value";

export function MetricTable({ run, metrics }: { run: RunView; metrics: readonly MetricInfo[] }) {
  const { language, words } = useSettings();
  const counts = shownEnds(run.variants.map((variant) => variant.counts));
  return (
    <TableFrame label={words.run.values} columns={1 + metrics.length + counts.length}>
      <table class="metrics">
        <thead>
          <tr>
            <th scope="col" class="sticky">
              {words.run.variant}
            </th>
            {metrics.map((metric) => (
              <th key={metric.name} scope="col" class="right" title={metric.formula}>
                {said(metric.title, language)}
                {metric.higher_is_better !== null && (
                  <span class="faint" aria-hidden="true">
                    {metric.higher_is_better ? " ↑" : " ↓"}
                  </span>
                )}
              </th>
            ))}
            {counts.map((name) => (
              <th key={name} scope="col" class="right count">
                {words.counts[name]}
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
  const { language, words } = useSettings();
  return (
    <tr class={variant.is_baseline ? "baseline" : ""}>
      <th scope="row" class="sticky">
        <PlainText text={variant.name} />
        {variant.is_baseline && !isAlone && <span class="tag">{words.run.baseline}</span>}
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

function MetricCell({ cell, metric }: { cell: Cell | undefined; metric: MetricInfo }) {
  const { language, words } = useSettings();
  const reason = cell?.reason ?? metric.undefined;
  const mark = cell?.is_best ? "best" : cell?.is_worst ? "worst" : "";
  return (
    <span class={`metric-cell ${mark}`} title={cell ? fill("n = {n}", { n: count(cell.n, language) }) : undefined}>
      {mark && (
        <span class="mark" title={words.run[mark]}>
          <span aria-hidden="true">{mark === "best" ? "▲" : "▽"}</span>
          <span class="unseen">{words.run[mark]}</span>
        </span>
      )}
      <Value value={cell?.value ?? null} shown={metric} reason={reason} />
      <small class="number">{metricInterval(cell?.interval, metric, language)}</small>
      {cell?.band && (
        <small class="band faint">
          {fill(words.run.unsure, {
            n: count(cell.unsure, language),
            band: metricInterval(cell.band, metric, language),
          })}
        </small>
      )}
      {cell?.corrected && (
        <small class="band faint">
          {fill(words.run.correctedBy, {
            n: count(cell.corrected.labelled, language),
            value: `${metricValue(cell.corrected.value, metric, language)} ${metricInterval(cell.corrected.interval, metric, language)}`,
          })}
        </small>
      )}
    </span>
  );
}
