// The charts of a run, one at a time, to choose from.

import type { RunView } from "../api";
import { ChartFigure } from "../charts/ChartFigure";
import { runAddress, type RunRoute } from "../route";
import { visible } from "../text/visible";
import { show, t } from "../words";

export function Charts({ route, run }: { route: RunRoute; run: RunView }) {
  const chart = run.charts.find(({ id }) => id === route.chart) ?? run.charts[0];
  if (!chart) return <p class="empty">{t("This run has no charts yet: nothing has been scored.")}</p>;
  return (
    <div class="charts">
      {run.charts.length > 1 && (
        <nav class="chart-list" aria-label={t("Chart")}>
          {run.charts.map(({ id, title }) => (
            <a key={id} href={runAddress(run.card.id, "charts", { chart: id })} aria-current={id === chart.id ? "page" : undefined}>
              {visible(show(title))}
            </a>
          ))}
        </nav>
      )}
      <ChartFigure key={chart.id} chart={chart} run={run} />
    </div>
  );
}
