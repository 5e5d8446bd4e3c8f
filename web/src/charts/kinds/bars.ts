// Values with intervals: one bar for each variant, or for each metric of a single variant.

import { metricInterval, metricValue } from "../../text/number";
import { visible } from "../../text/visible";
import { show, t, tx } from "../../words";
import { variantColour } from "../colour";
import type { BarsData } from "../data";
import { axisName, axisStyle, axisTitles, type DrawContext, type Drawing, frame, legend, metricOf, shortName, tip, variantNames } from "../drawing";
import { acrossWhisker } from "../whisker";

export function bars(context: DrawContext): Drawing {
  const { language, palette, run } = context;
  const data = context.chart.data as BarsData;
  const metric = metricOf(run, data.metric);
  const labels = data.bars.map(({ label }) => show(label));
  const isByVariant = data.metric !== "";
  const titles = axisTitles(context);
  const seriesName = (index: number): string => visible(isByVariant ? (labels[index] as string) : variantNames(run)[0] ?? "");
  return {
    height: 110 + labels.length * (labels.length > 12 ? 24 : 34),
    option: {
      ...frame(context),
      ...(isByVariant ? { legend: legend(context, labels.map(visible)) } : {}),
      grid: { top: isByVariant ? 40 : 8, left: 8, right: 28, bottom: 44, containLabel: true },
      xAxis: {
        type: "value",
        ...axisStyle(context),
        ...axisName(isByVariant ? titles.y : ""),
        ...(metric.is_bounded ? { min: 0, max: 1 } : {}),
        axisLabel: { color: palette.text, formatter: (value: number) => String(value) },
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: labels.map(visible),
        ...axisStyle(context),
        axisLabel: { color: palette.text, interval: 0, formatter: (name: string) => shortName(name, context.isNarrow ? 16 : 36) },
      },
      series: data.bars.flatMap((bar, row) => {
        if (bar.value === null) return [];
        const colour = isByVariant ? variantColour(palette, variantNames(run), labels[row] as string) : (palette.variants[0] as string);
        const facts = () =>
          tip(visible(labels[row] as string), [
            [t("value"), metricValue(bar.value, metric, language)],
            [t("95% interval"), metricInterval(bar.interval, metric, language)],
            ["n", String(bar.n)],
          ]);
        const shared = { name: seriesName(row), color: colour, tooltip: { formatter: facts } };
        const drawn: object[] = [
          { ...shared, type: "bar", barGap: "-100%", barMaxWidth: 18, itemStyle: { opacity: 0.75 }, data: [[bar.value, row]] },
        ];
        if (bar.interval)
          drawn.push({
            ...shared,
            type: "custom",
            renderItem: acrossWhisker({ colour: palette.text, width: 1.4, cap: 4 }),
            encode: { x: [1, 2], y: 0 },
            data: [[row, bar.interval.low, bar.interval.high]],
            z: 3,
          });
        return drawn;
      }),
    },
    columns: [titles.x, t("value"), tx("interval", "from"), tx("interval", "to"), "n"],
    rows: data.bars.map((bar, row) => [labels[row] as string, bar.value, bar.interval?.low ?? null, bar.interval?.high ?? null, bar.n]),
  };
}
