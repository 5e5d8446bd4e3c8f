// Intervals as lines with short ends, and points with them, for ECharts' custom series.

import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams, CustomSeriesRenderItemReturn } from "echarts";

export interface WhiskerStyle {
  readonly colour: string;
  readonly width: number;
  readonly cap: number;
}

/** Draws `[low, high]` of dimensions 1 and 2 along x, at the category of dimension 0 on y. */
export function acrossWhisker(style: WhiskerStyle) {
  return (_: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI): CustomSeriesRenderItemReturn => {
    const [x1 = 0, y = 0] = api.coord([api.value(1), api.value(0)]);
    const [x2 = 0] = api.coord([api.value(2), api.value(0)]);
    return lines(style, [
      [x1, y, x2, y],
      [x1, y - style.cap, x1, y + style.cap],
      [x2, y - style.cap, x2, y + style.cap],
    ]);
  };
}

/** Draws `[low, high]` of dimensions 1 and 2 along y, at the x of dimension 0. */
export function uprightWhisker(style: WhiskerStyle) {
  return (_: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI): CustomSeriesRenderItemReturn => {
    const [x = 0, y1 = 0] = api.coord([api.value(0), api.value(1)]);
    const [, y2 = 0] = api.coord([api.value(0), api.value(2)]);
    return lines(style, [
      [x, y1, x, y2],
      [x - style.cap, y1, x + style.cap, y1],
      [x - style.cap, y2, x + style.cap, y2],
    ]);
  };
}

function lines(style: WhiskerStyle, ends: readonly (readonly [number, number, number, number])[]): CustomSeriesRenderItemReturn {
  return {
    type: "group",
    children: ends.map(([x1, y1, x2, y2]) => ({
      type: "line" as const,
      shape: { x1, y1, x2, y2 },
      style: { stroke: style.colour, lineWidth: style.width, fill: "none" },
    })),
  };
}
