// Latency against quality, with the Pareto front drawn through the variants that nothing beats.

import type { Interval } from "../../api";
import { metricInterval, metricValue } from "../../text/number";
import { visible } from "../../text/visible";
import { variantColour } from "../colour";
import type { TradeoffData } from "../data";
import { axisName, axisStyle, axisTitles, type DrawContext, type Drawing, ends, frame, legend, metricOf, shortName, sideName, tip, variantNames } from "../drawing";
import { t } from "../../words";

export function tradeoff(context: DrawContext): Drawing {
  const { language, palette, run } = context;
  const data = context.chart.data as TradeoffData;
  const quality = metricOf(run, data.metric);
  const latency = metricOf(run, data.latency);
  const titles = axisTitles(context);
  const points = data.points.filter(({ x, y }) => x !== null && y !== null);
  const front = points.filter(({ is_front }) => is_front).sort((a, b) => (a.x as number) - (b.x as number));
  return {
    height: 440,
    option: {
      ...frame(context),
      legend: legend(context, [...points.map(({ variant }) => visible(variant)), t("on the Pareto front")]),
      grid: { top: 68, left: 8, right: 40, bottom: 44, containLabel: true },
      xAxis: { type: "value", scale: true, ...axisStyle(context), ...axisName(titles.x), boundaryGap: ["8%", "12%"] },
      yAxis: { type: "value", scale: true, ...axisStyle(context), ...sideName(titles.y), boundaryGap: ["15%", "15%"] },
      series: [
        {
          name: t("on the Pareto front"),
          type: "line",
          silent: true,
          symbol: "none",
          color: palette.faint,
          lineStyle: { type: "dashed", width: 1.5, color: palette.faint },
          data: front.map(({ x, y }) => [x, y]),
        },
        ...points.map((point) => ({
          name: visible(point.variant),
          type: "scatter",
          color: variantColour(palette, variantNames(run), point.variant),
          symbol: "circle",
          symbolSize: 13,
          itemStyle: point.is_front ? {} : hollow(variantColour(palette, variantNames(run), point.variant), palette.paper),
          label: {
            show: true,
            position: "top",
            distance: 8,
            color: palette.text,
            formatter: () => shortName(visible(point.variant), context.isNarrow ? 12 : 28),
          },
          labelLayout: { hideOverlap: true },
          tooltip: {
            formatter: () =>
              tip(visible(point.variant), [
                [titles.y, withInterval(metricValue(point.y, quality, language), metricInterval(point.y_interval, quality, language))],
                [titles.x, withInterval(metricValue(point.x, latency, language), metricInterval(point.x_interval, latency, language))],
                ["", point.is_front ? t("on the Pareto front") : t("dominated")],
              ]),
          },
          data: [[point.x, point.y]],
        })),
      ],
    },
    columns: [t("Variant"), titles.x, ...ends(titles.x), titles.y, ...ends(titles.y), t("on the Pareto front")],
    rows: data.points.map((point) => [
      point.variant,
      point.x,
      ...endsOf(point.x_interval),
      point.y,
      ...endsOf(point.y_interval),
      point.is_front ? t("yes") : t("no"),
    ]),
  };
}

function hollow(colour: string, paper: string): object {
  return { color: paper, borderColor: colour, borderWidth: 2 };
}

function withInterval(value: string, interval: string): string {
  return interval ? `${value} ${interval}` : value;
}

function endsOf(interval: Interval | null): [number | null, number | null] {
  return [interval?.low ?? null, interval?.high ?? null];
}
