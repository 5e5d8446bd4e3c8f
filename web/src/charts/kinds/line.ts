// A value over an ordered variable, with intervals.

import { metricInterval, metricValue, significant } from "../../text/number";
import { visible } from "../../text/visible";
import type { LineData } from "../data";
import { axisName, axisStyle, axisTitles, type DrawContext, type Drawing, frame, legend, metricOf, tip } from "../drawing";
import { uprightWhisker } from "../whisker";
import { t, tx } from "../../words";

export function line(context: DrawContext): Drawing {
  const { language, palette, run } = context;
  const data = context.chart.data as LineData;
  const metric = metricOf(run, data.metric);
  const titles = axisTitles(context);
  const colour = palette.variants[0] as string;
  const points = data.points.filter(({ value }) => value !== null);
  const facts = ({ dataIndex }: { dataIndex: number }) => {
    const point = points[dataIndex] as LineData["points"][number];
    return tip(visible(point.variant), [
      [data.variable, significant(point.x, language)],
      [t("value"), metricValue(point.value, metric, language)],
      [t("95% interval"), metricInterval(point.interval, metric, language)],
      ["n", String(point.n)],
    ]);
  };
  const places = data.points.map(({ x }) => significant(x, language));
  return {
    height: 380,
    option: {
      ...frame(context),
      legend: legend(context, [titles.y]),
      grid: { top: 40, left: 8, right: 28, bottom: 44, containLabel: true },
      xAxis: { type: "category", data: places, ...axisStyle(context), ...axisName(titles.x), splitLine: { show: false } },
      yAxis: {
        type: "value",
        ...axisStyle(context),
        ...(metric.is_bounded ? { min: 0, max: 1 } : {}),
        axisLabel: { color: palette.text },
      },
      series: [
        {
          name: titles.y,
          type: "line",
          color: colour,
          symbol: "circle",
          symbolSize: 9,
          lineStyle: { width: 2 },
          tooltip: { formatter: facts },
          data: points.map((point) => [significant(point.x, language), point.value]),
        },
        {
          name: titles.y,
          type: "custom",
          color: colour,
          renderItem: uprightWhisker({ colour, width: 1.5, cap: 5 }),
          encode: { x: 0, y: [1, 2] },
          tooltip: { formatter: facts },
          data: points.map((point) => [
            significant(point.x, language),
            point.interval?.low ?? point.value,
            point.interval?.high ?? point.value,
          ]),
        },
      ],
    },
    columns: [data.variable, t("Variant"), t("value"), tx("interval", "from"), tx("interval", "to"), "n"],
    rows: data.points.map((point) => [
      point.x,
      point.variant,
      point.value,
      point.interval?.low ?? null,
      point.interval?.high ?? null,
      point.n,
    ]),
  };
}
