// Bars by category and series, lying, with a slider when there are many: groups, reasons, cost.

import { visible } from "../../text/visible";
import { axisName, axisStyle, type DrawContext, type Drawing, frame, legend, shortName, tip } from "../drawing";

export interface GroupedSeries {
  readonly name: string;
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

export interface Grouped {
  readonly categories: readonly string[];
  readonly series: readonly GroupedSeries[];
  readonly axis: string;
  readonly most: number | null;
  readonly format: (value: number | null) => string;
  readonly facts?: (category: number, series: number) => readonly (readonly [string, string])[];
}

const SHOWN = 24;

/** The drawing of grouped bars; the table is the caller's. */
export function groupedBars(context: DrawContext, grouped: Grouped): Pick<Drawing, "option" | "height"> {
  const { palette } = context;
  const names = grouped.categories.map(visible);
  const isLong = names.length > SHOWN;
  const isAlone = grouped.series.length === 1; // its title says what it is
  const perRow = grouped.series.length > 1 ? Math.max(28, grouped.series.length * 11 + 10) : 30;
  const shown = Math.min(names.length, SHOWN);
  return {
    height: (isAlone ? 68 : 100) + Math.min(shown * perRow, 900),
    option: {
      ...frame(context),
      ...(isAlone ? {} : { legend: legend(context, grouped.series.map(({ name }) => visible(name))) }),
      grid: { top: isAlone ? 8 : 40, left: 8, right: isLong ? 56 : 48, bottom: 44, containLabel: true },
      ...(isLong ? { dataZoom: [slider(context, shown / names.length)] } : {}),
      xAxis: {
        type: "value",
        ...axisStyle(context),
        ...axisName(grouped.axis),
        min: 0,
        ...(grouped.most === null ? {} : { max: grouped.most }),
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: names,
        ...axisStyle(context),
        axisLabel: { color: palette.text, interval: 0, formatter: (name: string) => shortName(name, context.isNarrow ? 14 : 32) },
      },
      series: grouped.series.map((series, at) => ({
        name: visible(series.name),
        type: "bar",
        color: series.colour,
        barMaxWidth: 16,
        itemStyle: { opacity: 0.85 },
        label: {
          show: grouped.series.length <= 3,
          position: "right",
          color: palette.text,
          formatter: ({ dataIndex }: { dataIndex: number }) => grouped.format(series.values[dataIndex] ?? null),
        },
        tooltip: {
          formatter: ({ dataIndex }: { dataIndex: number }) =>
            tip(names[dataIndex] ?? "", [
              [visible(series.name), grouped.format(series.values[dataIndex] ?? null)],
              ...(grouped.facts?.(dataIndex, at) ?? []),
            ]),
        },
        data: [...series.values],
      })),
    },
  };
}

function slider({ palette }: DrawContext, share: number): object {
  return {
    type: "slider",
    yAxisIndex: 0,
    orient: "vertical",
    right: 8,
    width: 14,
    startValue: 0,
    start: 0,
    end: Math.max(4, share * 100),
    brushSelect: false,
    showDetail: false,
    zoomLock: false,
    borderColor: palette.line,
    fillerColor: `${palette.faint}40`,
    handleSize: "120%",
    filterMode: "empty",
  };
}
