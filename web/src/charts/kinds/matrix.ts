// Tiles with a number in each: depth maps and confusion matrices.

import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams, CustomSeriesRenderItemReturn } from "echarts";
import { MISSING } from "../../look";
import { type Heat, heatColour, heatColours } from "../colour";
import { axisName, axisStyle, type DrawContext, type Drawing, frame, type Place, shortName, sideName, tip } from "../drawing";
import { t } from "../../words";

export interface Tile {
  readonly column: number;
  readonly row: number;
  /** From 0 to 1: where it stands on the scale of colours; `null` is "no data". */
  readonly share: number | null;
  readonly text: string;
  readonly facts: readonly (readonly [string, string])[];
  /** It has a frame. */
  readonly isMarked?: boolean;
  /** The questions behind it: an index into those of the file. */
  readonly listing?: number | null;
}

export interface Matrix {
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  readonly x: string;
  readonly y: string;
  /** The first line of a tip, if it is not the row and the column. */
  readonly name?: string;
  readonly tiles: readonly Tile[];
  readonly heat: Heat;
  /** The text of a place on the scale, from 0 to 1. */
  readonly scale?: (share: number) => string;
  /** Rows and columns from here on are means, drawn apart. */
  readonly margin?: { readonly row: number; readonly column: number };
}

/** With more columns, names are written upright. */
const MOST_LEVEL = 24;
const ROW = { few: 46, many: 30 };
const MANY_ROWS = 8;

export function matrix(context: DrawContext, data: Matrix): Pick<Drawing, "option" | "height" | "widths" | "places" | "listing"> {
  const { palette } = context;
  const known = data.tiles.filter(({ share }) => share !== null);
  const missing = data.tiles.filter(({ share }) => share === null);
  const title = (tile: Tile): string => [data.rows[tile.row], data.columns[tile.column]].join(" · ").replaceAll("\n", " ");
  const facts = (tiles: readonly Tile[]) => ({ dataIndex }: { dataIndex: number }) => {
    const tile = tiles[dataIndex] as Tile;
    return tip(data.name ?? title(tile), tile.facts);
  };
  const isUpright = data.columns.length > MOST_LEVEL;
  const longest = Math.max(3, ...known.map(({ text, isMarked }) => text.length + (isMarked ? 1 : 0)));
  const names = Math.min(context.isNarrow ? 90 : 190, 16 + 7 * Math.max(...data.rows.map((name) => longestLine(name))));
  const column = Math.max(longest * 7 + 8, isUpright ? 0 : 6.2 * Math.max(...data.columns.map(longestLine)));
  const lines = isUpright ? 5 : Math.max(...data.columns.map((name) => name.split("\n").length));
  const place = (series: number) => (tile: Tile, index: number): Place => ({
    series,
    index,
    column: tile.column,
    row: tile.row,
    label: `${title(tile)}: ${tile.facts.filter(([, value]) => value).map((fact) => fact.join(" ")).join(", ")}`,
  });
  return {
    height: 124 + 14 * lines + Math.max(2, data.rows.length) * (data.rows.length > MANY_ROWS ? ROW.many : ROW.few),
    widths: { least: names + 16 + data.columns.length * column, most: names + 16 + data.columns.length * 150 },
    places: [...known.map(place(0)), ...missing.map(place(1))],
    listing: (index) => known[index]?.listing ?? null,
    option: {
      ...frame(context),
      grid: { top: 28, left: names, right: 8, bottom: 82 + 14 * lines },
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
        formatter: (value: unknown) => (data.scale ?? percent)(Number(value)),
        inRange: { color: heatColours(data.heat) },
        outOfRange: { color: "transparent" },
      },
      xAxis: {
        type: "category",
        data: [...data.columns],
        ...axisStyle(context),
        axisLine: { show: false },
        ...axisName(data.x, 14 + 14 * lines),
        splitArea: { show: false },
        axisLabel: { color: palette.text, interval: 0, lineHeight: 14, rotate: isUpright ? 90 : 0 },
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: [...data.rows],
        ...axisStyle(context),
        axisLine: { show: false },
        ...sideName(data.y, "start"),
        nameTextStyle: { align: "left", color: palette.faint, fontSize: 12, padding: [0, 0, 0, 8 - names] },
        axisLabel: { color: palette.text, interval: 0, lineHeight: 14, formatter: (name: string) => (name.includes("\n") ? name : shortName(name, Math.floor((names - 16) / 7))) },
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
            itemStyle: tile.isMarked ? { borderColor: palette.text, borderWidth: 3 } : isMargin(tile, data) ? { borderWidth: 7 } : {},
            label: {
              show: true,
              color: heatColour(tile.share as number, data.heat).ink,
              fontWeight: tile.isMarked ? "bold" : "normal",
              formatter: () => tile.text + (tile.isMarked ? "*" : ""),
            },
          })),
        },
        {
          name: t("no data"),
          type: "custom",
          tooltip: { formatter: facts(missing) },
          renderItem: hatched(context, missing, data),
          data: missing.map((tile) => [tile.column, tile.row]),
        },
      ],
    },
  };
}

function longestLine(text: string): number {
  const width = (line: string): number => line.length + (line.match(/[\u2e80-\uffef]/g)?.length ?? 0);
  return Math.max(...text.split("\n").map(width));
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function isMargin(tile: Tile, { margin }: Matrix): boolean {
  return margin !== undefined && (tile.row >= margin.row || tile.column >= margin.column);
}

/** Grey tiles with hatching: they cannot be mistaken for a colour of the scale. */
function hatched({ palette }: DrawContext, tiles: readonly Tile[], data: Matrix) {
  return (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI): CustomSeriesRenderItemReturn => {
    const tile = tiles[params.dataIndex] as Tile;
    const [x = 0, y = 0] = api.coord([api.value(0), api.value(1)]);
    const [full = 0, high = 0] = api.size?.([1, 1]) as number[];
    const gap = isMargin(tile, data) ? 7 : 2;
    const box = { x: x - full / 2 + gap / 2, y: y - high / 2 + gap / 2, width: full - gap, height: high - gap };
    const lines = Array.from({ length: Math.ceil((box.width + box.height) / 8) }, (_, at) => ({
      type: "line" as const,
      shape: { x1: box.x + at * 8 - box.height, y1: box.y + box.height, x2: box.x + at * 8, y2: box.y },
      style: { stroke: palette.line, lineWidth: 2 },
      silent: true,
    }));
    const text = fitting(tile.text, box);
    return {
      type: "group",
      children: [
        { type: "rect", shape: box, style: { fill: palette.ground } },
        { type: "group", silent: true, clipPath: { type: "rect", shape: box }, children: lines },
        {
          type: "text",
          silent: true,
          style: { text, x: x, y: y, align: "center", verticalAlign: "middle", fill: palette.faint, fontSize: 11, lineHeight: 13, backgroundColor: palette.ground, padding: [1, 2] },
        },
      ],
    };
  };
}

/** The lines of a text that have room in a tile; a dash if the first has none. */
function fitting(text: string, { width, height }: { width: number; height: number }): string {
  const lines = text.split("\n").filter((line) => longestLine(line) * 5.6 + 4 <= width);
  return lines.slice(0, Math.max(1, Math.floor(height / 13))).join("\n") || MISSING;
}
