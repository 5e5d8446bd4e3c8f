// The interval of each difference over the number of questions, until it was decided.

import { differenceInterval, differenceNumber, inPoints } from "../../text/number";
import { visible } from "../../text/visible";
import { t, tx } from "../../words";
import { variantColour } from "../colour";
import type { SequenceData } from "../data";
import { niceTicks } from "../ticks";
import { axisName, axisStyle, axisTitles, type DrawContext, type Drawing, frame, legend, metricOf, sideName, tip, variantNames } from "../drawing";
import { verdictWord } from "../../words/named";

type Line = SequenceData["lines"][number];

export function sequence(context: DrawContext): Drawing {
  const { language, palette, run } = context;
  const data = context.chart.data as SequenceData;
  const metric = metricOf(run, data.metric);
  const factor = inPoints(metric) ? 100 : 1;
  const titles = axisTitles(context);
  const side = [titles.y, inPoints(metric) ? t("in points of 100") : ""].filter(Boolean).join(", ");
  const lines = data.lines.filter(({ points }) => points.length > 0);
  const reach = lines.flatMap(({ points }) => settled(points).flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
  const most = factor * Math.max(0.05, data.margin, ...reach);
  const ticks = niceTicks(-most, most, 6);
  return {
    height: 420,
    option: {
      ...frame(context),
      legend: legend(context, lines.map((line) => named(line))),
      grid: { top: 64, left: 8, right: 28, bottom: 44, containLabel: true },
      xAxis: { type: "value", min: 0, max: "dataMax", ...axisStyle(context), ...axisName(titles.x), splitLine: { show: false } },
      yAxis: {
        type: "value",
        ...axisStyle(context),
        ...sideName(side),
        min: ticks[0],
        max: ticks[ticks.length - 1],
        interval: (ticks[1] as number) - (ticks[0] as number),
        axisLabel: { color: palette.text, formatter: (value: number) => differenceNumber(value / factor, metric, language) },
      },
      series: lines.flatMap((line, index) => drawn(line, index === 0, context, factor)),
    },
    columns: [t("Variant"), titles.x, t("difference"), tx("interval", "from"), tx("interval", "to"), t("verdict")],
    rows: lines.flatMap((line) =>
      line.points.map((point, place) => [
        line.variant,
        point.questions,
        point.difference,
        point.low,
        point.high,
        place === line.points.length - 1 ? (verdictWord(line.verdict)) : "",
      ]),
    ),
  };
}

/** Without the first points, whose intervals span everything and would hide the rest. */
function settled(points: Line["points"]): Line["points"] {
  return points.slice(Math.min(points.length - 1, Math.ceil(points.length / 8)));
}

/** A variant with its decision: the word, not only the colour, says how it ended. */
function named(line: Line): string {
  const verdict = verdictWord(line.verdict);
  const when = line.verdict === "undecided" ? String(line.questions) : t("decided after {n}", { n: line.questions });
  return visible(`${line.variant}: ${verdict} (${when})`);
}

/** Both ends of the interval as steps, for it never grows again; and the mean between them. */
function drawn(line: Line, isFirst: boolean, context: DrawContext, factor: number): object[] {
  const { palette, run } = context;
  const { margin } = context.chart.data as SequenceData;
  const colour = variantColour(palette, variantNames(run), line.variant);
  const shared = { name: named(line), color: colour, type: "line", symbol: "none" };
  const at = (value: (point: Line["points"][number]) => number | null): (number | null)[][] =>
    line.points.map((point) => {
      const found = value(point);
      return [point.questions, found === null ? null : found * factor];
    });
  const edge = { ...shared, silent: true, lineStyle: { width: 1.5, color: colour, type: "dotted" }, step: "end" };
  const marks = [0, ...(margin ? [margin, -margin] : [])];
  return [
    { ...edge, data: at(({ low }) => low) },
    { ...edge, data: at(({ high }) => high) },
    {
      ...shared,
      symbol: "circle",
      symbolSize: 5,
      showAllSymbol: true,
      lineStyle: { width: 2 },
      tooltip: { formatter: ({ dataIndex }: { dataIndex: number }) => pointTip(line, dataIndex, context) },
      data: at(({ difference }) => difference),
      ...(isFirst ? { markLine: limits(marks.map((mark) => mark * factor), palette.text) } : {}),
    },
  ];
}

function limits(values: readonly number[], colour: string): object {
  return {
    silent: true,
    symbol: "none",
    label: { show: false },
    data: values.map((yAxis) => ({ yAxis, lineStyle: { color: colour, width: 1, type: yAxis === 0 ? "solid" : "dashed" } })),
  };
}

function pointTip(line: Line, index: number, context: DrawContext): HTMLElement {
  const { language, run } = context;
  const metric = metricOf(run, (context.chart.data as SequenceData).metric);
  const point = line.points[index] as Line["points"][number];
  return tip(named(line), [
    [axisTitles(context).x, String(point.questions)],
    [t("difference"), differenceNumber(point.difference, metric, language)],
    [t("95% interval"), differenceInterval(point, metric, language)],
  ]);
}
