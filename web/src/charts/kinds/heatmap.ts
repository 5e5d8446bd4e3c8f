// Accuracy by depth and length of the context, one map for each model, with means at the margin.

import { count } from "../../text/number";
import type { HeatCell, HeatmapData, HeatMean, HeatView } from "../data";
import { axisTitles, type DrawContext, type Drawing } from "../drawing";
import { matrix, type Tile } from "./matrix";
import { t, tx } from "../../words";

export function heatmap(context: DrawContext): Drawing {
  const { choice, language } = context;
  const data = context.chart.data as HeatmapData;
  const model = data.models[choice.panel] ?? data.models[0];
  const view = model?.views[choice.isParsedOnly ? "parsed" : "all"];
  const titles = axisTitles(context);
  const mean = choice.isMeanOfQuestions ? t("mean of questions") : t("mean of cells");
  const margin = { row: data.lengths.length, column: data.bins.length };
  const tiles = view ? [...cellTiles(data, view, context), ...meanTiles(data, view, context)] : [];
  const known = tiles.filter(({ share }) => share !== null);
  return {
    ...matrix(context, {
      columns: [...data.bins.map(String), mean],
      rows: [...data.lengths.map((length) => count(length, language)), mean],
      x: titles.x,
      y: titles.y,
      tiles,
      heat: choice.isSafe ? "safe" : "green-red",
      margin,
    }),
    tags: (dataIndex) => tagsOf(data, known[dataIndex]),
    columns: [titles.y, titles.x, t("value"), tx("interval", "from"), tx("interval", "to"), "n", t("unparsed")],
    rows: (view?.cells ?? []).map((cell) => [
      cell.context_length,
      String(cell.depth_bin),
      cell.accuracy,
      cell.interval?.low ?? null,
      cell.interval?.high ?? null,
      cell.n,
      cell.unparsed,
    ]),
  };
}

function cellTiles(data: HeatmapData, view: HeatView, context: DrawContext): Tile[] {
  const cells = new Map(view.cells.map((cell) => [`${cell.context_length} ${cell.depth_bin}`, cell]));
  return data.lengths.flatMap((length, row) =>
    data.bins.map((bin, column) => {
      const cell = cells.get(`${length} ${bin}`);
      const facts = cell ? factsOf(cell.accuracy, cell, context) : ([[t("no data"), ""]] as const);
      return { column, row, share: cell?.accuracy ?? null, text: percent(cell?.accuracy ?? null), facts };
    }),
  );
}

function meanTiles(data: HeatmapData, view: HeatView, context: DrawContext): Tile[] {
  const { averages } = view;
  const tile = (row: number, column: number, mean: HeatMean | undefined): Tile => {
    const share = (context.choice.isMeanOfQuestions ? mean?.mean_of_questions : mean?.mean_of_cells) ?? null;
    return { row, column, share, text: percent(share), facts: mean ? factsOf(share, mean, context) : [] };
  };
  const last = { row: data.lengths.length, column: data.bins.length };
  return [
    ...data.lengths.map((length, row) =>
      tile(row, last.column, averages.by_context_length.find((mean) => mean.context_length === length)),
    ),
    ...data.bins.map((bin, column) => tile(last.row, column, averages.by_depth_bin.find((mean) => mean.depth_bin === bin))),
    tile(last.row, last.column, averages.overall),
  ];
}

function percent(share: number | null): string {
  if (share === null) return "";
  const text = (share * 100).toFixed(1);
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}

function factsOf(share: number | null, cell: HeatCell | HeatMean, { language }: DrawContext): [string, string][] {
  const { interval } = cell;
  return [
    [t("value"), share === null ? "–" : `${percent(share)}%`],
    [t("95% interval"), interval ? `${percent(interval.low)}–${percent(interval.high)}%` : ""],
    ["n", count(cell.n, language)],
    [t("unparsed"), count(cell.unparsed, language)],
  ];
}

/** The tags of the questions behind a tile. */
function tagsOf(data: HeatmapData, tile: Tile | undefined): string[] {
  if (!tile) return [];
  const length = data.lengths[tile.row];
  const bin = data.bins[tile.column];
  return [...(length === undefined ? [] : [String(length)]), ...(bin === undefined ? [] : [String(bin)])];
}
