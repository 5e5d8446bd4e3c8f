// Differences to the baseline: points with intervals around zero.

import { differenceInterval, differenceNumber, inPoints, probability } from "../../text/number";
import { visible } from "../../text/visible";
import { variantColour } from "../colour";
import type { DifferencesData } from "../data";
import { axisName, axisStyle, axisTitles, type DrawContext, type Drawing, ends, frame, legend, metricOf, shortName, tip, variantNames } from "../drawing";
import { niceTicks } from "../ticks";
import { acrossWhisker } from "../whisker";

export function differences(context: DrawContext): Drawing {
  const { language, palette, run, words } = context;
  const data = context.chart.data as DifferencesData;
  const metric = metricOf(run, data.metric);
  const names = data.points.map(({ variant }) => variant);
  const factor = inPoints(metric) ? 100 : 1;
  const title = [axisTitles(context).x, inPoints(metric) ? words.run.points : ""].filter(Boolean).join(", ");
  const points = data.points.filter(({ difference }) => difference !== null);
  const reach = points.flatMap(({ difference, interval }) => [difference ?? 0, interval?.low ?? 0, interval?.high ?? 0]);
  const ticks = niceTicks(factor * Math.min(0, ...reach), factor * Math.max(0, ...reach), context.isNarrow ? 3 : 6);
  return {
    height: 110 + names.length * 36,
    option: {
      ...frame(context),
      legend: legend(context, names.map(visible)),
      grid: { top: 40, left: 8, right: 24, bottom: 44, containLabel: true },
      xAxis: {
        type: "value",
        ...axisStyle(context),
        ...axisName(title),
        min: ticks[0],
        max: ticks[ticks.length - 1],
        interval: (ticks[1] as number) - (ticks[0] as number),
        axisLabel: { color: palette.text, formatter: (value: number) => differenceNumber(value / factor, metric, language) },
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: names.map(visible),
        ...axisStyle(context),
        axisLine: { show: false },
        axisLabel: { color: palette.text, formatter: (name: string) => shortName(name, context.isNarrow ? 14 : 32) },
      },
      series: points.flatMap((point, index) => {
        const colour = variantColour(palette, variantNames(run), point.variant);
        const row = names.indexOf(point.variant);
        const shared = { name: visible(point.variant), color: colour, tooltip: { formatter: () => pointTip(point, context) } };
        const { interval } = point;
        const whisker = {
          ...shared,
          type: "custom",
          renderItem: acrossWhisker({ colour, width: 2, cap: 5 }),
          encode: { x: [1, 2], y: 0 },
          data: interval ? [[row, interval.low * factor, interval.high * factor]] : [],
        };
        return [
          whisker,
          {
            ...shared,
            type: "scatter",
            symbolSize: 11,
            itemStyle: { color: colour, borderColor: palette.paper, borderWidth: 1.5 },
            data: [[(point.difference as number) * factor, row]],
            ...(index === 0 ? { markLine: zeroLine(palette.text) } : {}),
          },
        ];
      }),
    },
    columns: [words.run.variant, words.charts.difference, ...ends(words.charts.corrected, context), words.charts.about, ...ends(words.charts.plain, context), words.charts.about, "p", "n", words.charts.verdict],
    rows: data.points.map((point) => [
      point.variant,
      point.difference,
      point.interval?.low ?? null,
      point.interval?.high ?? null,
      words.charts.bases[point.basis] ?? point.basis,
      point.plain?.low ?? null,
      point.plain?.high ?? null,
      words.charts.bases[point.plain_basis] ?? point.plain_basis,
      point.p,
      point.n,
      words.verdicts[point.verdict] ?? point.verdict,
    ]),
  };
}

function zeroLine(colour: string): object {
  return {
    silent: true,
    symbol: "none",
    label: { show: false },
    lineStyle: { color: colour, type: "solid", width: 1 },
    data: [{ xAxis: 0 }],
  };
}

function pointTip(point: DifferencesData["points"][number], context: DrawContext): HTMLElement {
  const { language, run, words } = context;
  const metric = metricOf(run, (context.chart.data as DifferencesData).metric);
  return tip(visible(point.variant), [
    [words.charts.difference, differenceNumber(point.difference, metric, language)],
    [`${words.charts.corrected} (${words.charts.bases[point.basis]})`, differenceInterval(point.interval, metric, language)],
    [`${words.charts.plain} (${words.charts.bases[point.plain_basis]})`, differenceInterval(point.plain, metric, language)],
    ["p", probability(point.p).replace(/^p (= )?/, "")],
    ["n", String(point.n)],
    [words.charts.verdict, words.verdicts[point.verdict] ?? point.verdict],
  ]);
}
