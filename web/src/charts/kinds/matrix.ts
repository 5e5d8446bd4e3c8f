// Tiles with a number in each: the depth map and confusion matrices.

import { type Heat, heatColour, heatColours } from "../colour";
import { axisName, axisStyle, type DrawContext, type Drawing, frame, shortName, sideName, tip } from "../drawing";
import { t } from "../../words";

export interface Tile {
  readonly column: number;
  readonly row: number;
  /** From 0 to 1: where it stands on the scale of colours; `null` is "no data". */
  readonly share: number | null;
  readonly text: string;
  readonly facts: readonly (readonly [string, string])[];
}

export interface Matrix {
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  readonly x: string;
  readonly y: string;
  readonly tiles: readonly Tile[];
  readonly heat: Heat;
  /** Rows and columns from here on are means, drawn apart. */
  readonly margin?: { readonly row: number; readonly column: number };
}

export function matrix(context: DrawContext, data: Matrix): Pick<Drawing, "option" | "height"> {
  const { palette } = context;
  const known = data.tiles.filter(({ share }) => share !== null);
  const missing = data.tiles.filter(({ share }) => share === null);
  const facts = (tiles: readonly Tile[]) => ({ dataIndex }: { dataIndex: number }) => {
    const tile = tiles[dataIndex] as Tile;
    return tip(`${data.rows[tile.row]} · ${data.columns[tile.column]}`, tile.facts);
  };
  return {
    height: 130 + Math.max(2, data.rows.length) * 46,
    option: {
      ...frame(context),
      grid: { top: 28, left: 8, right: 8, bottom: 96, containLabel: true },
      visualMap: {
        type: "continuous",
        min: 0,
        max: 1,
        calculable: true,
        orient: "horizontal",
        left: "center",
        bottom: 0,
        itemHeight: 180,
        itemWidth: 12,
        seriesIndex: 0,
        dimension: 2,
        textStyle: { color: palette.text },
        formatter: (value: unknown) => `${Math.round(Number(value) * 100)}%`,
        inRange: { color: heatColours(data.heat) },
        outOfRange: { color: "transparent" },
      },
      xAxis: {
        type: "category",
        data: [...data.columns],
        ...axisStyle(context),
        ...axisName(data.x, 26),
        splitArea: { show: false },
        axisLabel: { color: palette.text, interval: 0, hideOverlap: true },
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: [...data.rows],
        ...axisStyle(context),
        ...sideName(data.y, "start"),
        axisLabel: { color: palette.text, interval: 0, formatter: (name: string) => shortName(name, context.isNarrow ? 10 : 24) },
      },
      series: [
        {
          name: data.y,
          type: "heatmap",
          itemStyle: { borderColor: palette.paper, borderWidth: 2 },
          emphasis: { itemStyle: { borderColor: palette.text, borderWidth: 2 } },
          tooltip: { formatter: facts(known) },
          data: known.map((tile) => ({
            value: [tile.column, tile.row, tile.share],
            itemStyle: isMargin(tile, data) ? { borderWidth: 7 } : {},
            label: { show: true, color: heatColour(tile.share as number, data.heat).ink, formatter: () => tile.text },
          })),
        },
        {
          name: t("no data"),
          type: "scatter",
          symbol: "rect",
          symbolSize: 2,
          itemStyle: { color: palette.line },
          label: { show: true, color: palette.faint, formatter: () => (context.isNarrow ? "–" : t("no data")) },
          tooltip: { formatter: facts(missing) },
          data: missing.map((tile) => [tile.column, tile.row]),
        },
      ],
    },
  };
}

function isMargin(tile: Tile, { margin }: Matrix): boolean {
  return margin !== undefined && (tile.row >= margin.row || tile.column >= margin.column);
}
