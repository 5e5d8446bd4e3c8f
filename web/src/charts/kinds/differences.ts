// Differences to the baseline: points with intervals around zero.

import { differenceInterval, differenceNumber, inPoints, probability } from "../../text/number";
import { visible } from "../../text/visible";
import { variantColour } from "../colour";
import type { DifferencesData } from "../data";
import { axisName, axisStyle, axisTitles, type DrawContext, type Drawing, ends, frame, legend, metricOf, shortName, tip, variantNames } from "../drawing";
import { niceTicks } from "../ticks";
import { acrossWhisker } from "../whisker";
import { t } from "../../words";
import { verdictWord } from "../../words/named";

export function differences(context: DrawContext): Drawing {
  const { language, palette, run } = context;
  const data = context.chart.data as DifferencesData;
  const metric = metricOf(run, data.metric);
  const names = data.points.map(({ variant }) => variant);
  const factor = inPoints(metric) ? 100 : 1;
  const title = [axisTitles(context).x, inPoints(metric) ? t("in points of 100") : ""].filter(Boolean).join(", ");
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
    columns: [t("Variant"), t("difference"), ...ends(t("interval of the test")), ...ends(t("interval of this difference alone")), "p", "n", t("verdict")],
    rows: data.points.map((point) => [
      point.variant,
      point.difference,
      point.interval?.low ?? null,
      point.interval?.high ?? null,
      point.plain?.low ?? null,
      point.plain?.high ?? null,
      point.p,
      point.n,
      verdictWord(point.verdict),
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
  const { language, run } = context;
  const metric = metricOf(run, (context.chart.data as DifferencesData).metric);
  return tip(visible(point.variant), [
    [t("difference"), differenceNumber(point.difference, metric, language)],
    [t("interval of the test"), differenceInterval(point.interval, metric, language)],
    [t("interval of this difference alone"), differenceInterval(point.plain, metric, language)],
    ["p", probability(point.p).replace(/^p (= )?/, "")],
    ["n", String(point.n)],
    [t("verdict"), verdictWord(point.verdict)],
  ]);
}
