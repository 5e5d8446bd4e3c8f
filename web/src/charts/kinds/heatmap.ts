// Accuracy by depth and length of the context, a map for each model, with means at the margin; and the
// differences of models, cell by cell.

import { MISSING, NO_DATA_TEXT, SMALLEST_P } from "../../look";
import { count, percentage, points, shortPercent } from "../../text/number";
import { t, tx } from "../../words";
import type { HeatCell, HeatDifference, HeatmapData, HeatMean, HeatView } from "../data";
import { axisTitles, type DrawContext, type Drawing, type TableCell } from "../drawing";
import { type Matrix, matrix, type Tile } from "./matrix";

type Facts = [string, string][];

/** The names of the maps: models, then differences. */
export function heatmapPanels(data: HeatmapData): string[] {
  return [...data.models.map(({ model }) => model), ...data.differences.map(({ model, baseline }) => `${model} − ${baseline}`)];
}

export function heatmap(context: DrawContext): Drawing {
  const { choice } = context;
  const data = context.chart.data as HeatmapData;
  const model = data.models[choice.panel];
  if (!model) return differenceMap(context, data, choice.panel - data.models.length);
  const view = model.views[choice.isParsedOnly ? "parsed" : "all"];
  const titles = axisTitles(context);
  const tiles = [...cellTiles(data, view, context), ...meanTiles(data, view, context)];
  const known = tiles.filter(({ share }) => share !== null);
  const mean = choice.isMeanOfQuestions ? t("mean of questions") : t("mean of cells");
  return {
    ...matrix(context, { ...grid(context, data, mean), name: model.model, tiles, heat: choice.isSafe ? "safe" : "green-red" }),
    run: model.run,
    tags: (dataIndex) => tagsOf(data, known[dataIndex]),
    columns: [titles.y, titles.x, t("accuracy"), tx("interval", "from"), tx("interval", "to"), "n", t("unparsed"), t("not judged"), t("failed"), t("skipped")],
    rows: view.cells.map((cell) => [
      cell.context_length,
      cell.depth_bin,
      cell.accuracy,
      cell.interval?.low ?? null,
      cell.interval?.high ?? null,
      cell.n,
      cell.unparsed,
      cell.answered,
      cell.failed,
      cell.skipped,
    ]),
  };
}

function differenceMap(context: DrawContext, data: HeatmapData, at: number): Drawing {
  const found = data.differences[at];
  const { choice } = context;
  const view = found?.views[choice.isParsedOnly ? "parsed" : "all"];
  const reach = found?.reach ?? 1;
  const titles = axisTitles(context);
  const cells = new Map(view?.cells.map((cell) => [placeName(cell), cell]));
  const rows = new Map(view?.by_context_length.map((each) => [each.context_length, each]));
  const columns = new Map(view?.by_depth_bin.map((each) => [each.depth_bin, each]));
  const tiles = eachPlace(data, (row, column, length, bin): Tile => {
    const cell = length === undefined ? (bin === undefined ? view?.overall : columns.get(bin)) : bin === undefined ? rows.get(length) : cells.get(`${length} ${bin}`);
    const difference = cell?.difference ?? null;
    return {
      row,
      column,
      share: difference === null ? null : (difference / reach + 1) / 2,
      text: difference === null ? noData() : points(difference),
      facts: [...(cell ? differenceFacts(cell, context) : [[t("no data"), MISSING] as [string, string]]), ...placeFacts(context, length, bin)],
      isMarked: cell?.significant ?? false,
      listing: cell?.listing ?? null,
    };
  });
  return {
    ...matrix(context, {
      ...grid(context, data, t("mean of questions")),
      name: heatmapPanels(data)[choice.panel] ?? "",
      tiles,
      heat: "difference",
      scale: (share) => points((2 * share - 1) * reach),
    }),
    columns: [titles.y, titles.x, t("difference"), t("paired questions"), t("scored higher"), t("scored lower"), t("p, corrected")],
    rows: (view?.cells ?? []).map((cell): TableCell[] => [cell.context_length ?? null, cell.depth_bin ?? null, cell.difference, cell.pairs, cell.gained, cell.lost, cell.p_adjusted]),
  };
}

function grid(context: DrawContext, data: HeatmapData, mean: string): Pick<Matrix, "columns" | "rows" | "x" | "y" | "margin"> {
  const { x, y } = axisTitles(context);
  const name = mean.replace(/ (?=\S+$)/, "\n");
  return {
    columns: [...data.bins, name],
    rows: [...data.lengths.map((length) => count(length, context.language)), context.isNarrow ? name : mean],
    x,
    y,
    margin: { row: data.lengths.length, column: data.bins.length },
  };
}

/** A tile for each cell, row by row, and then for each mean; a mean has no length or no depth. */
function eachPlace(data: HeatmapData, tile: (row: number, column: number, length?: number, bin?: string) => Tile): Tile[] {
  const last = { row: data.lengths.length, column: data.bins.length };
  return [
    ...data.lengths.flatMap((length, row) => data.bins.map((bin, column) => tile(row, column, length, bin))),
    ...data.lengths.map((length, row) => tile(row, last.column, length)),
    ...data.bins.map((bin, column) => tile(last.row, column, undefined, bin)),
    tile(last.row, last.column),
  ];
}

function placeName(cell: { readonly context_length?: number; readonly depth_bin?: string }): string {
  return `${cell.context_length} ${cell.depth_bin}`;
}

function cellTiles(data: HeatmapData, view: HeatView, context: DrawContext): Tile[] {
  const cells = new Map(view.cells.map((cell) => [placeName(cell), cell]));
  return data.lengths.flatMap((length, row) =>
    data.bins.map((bin, column) => {
      const cell = cells.get(`${length} ${bin}`);
      const share = cell?.accuracy ?? null;
      return {
        column,
        row,
        share,
        text: share === null ? noData(cell?.failed) : shortPercent(share),
        facts: [...(cell ? factsOf(share, cell, context) : []), ...placeFacts(context, length, bin)],
        listing: cell?.listing ?? null,
      };
    }),
  );
}

function meanTiles(data: HeatmapData, { averages }: HeatView, context: DrawContext): Tile[] {
  const isOfQuestions = context.choice.isMeanOfQuestions;
  const tile = (row: number, column: number, mean: HeatMean | undefined, place: Facts): Tile => {
    const share = (isOfQuestions ? mean?.mean_of_questions : mean?.mean_of_cells) ?? null;
    const text = share === null ? noData() : shortPercent(share);
    return { row, column, share, text, facts: [...(mean ? meanFacts(share, mean, context) : []), ...place] };
  };
  const last = { row: data.lengths.length, column: data.bins.length };
  const ofLength = (length: number): HeatMean | undefined => averages.by_context_length.find((mean) => mean.context_length === length);
  const ofBin = (bin: string): HeatMean | undefined => averages.by_depth_bin.find((mean) => mean.depth_bin === bin);
  return [
    ...data.lengths.map((length, row) => tile(row, last.column, ofLength(length), placeFacts(context, length))),
    ...data.bins.map((bin, column) => tile(last.row, column, ofBin(bin), placeFacts(context, undefined, bin))),
    tile(last.row, last.column, averages.overall, []),
  ];
}

/** What a tile without data says; that all its cases failed is something else. */
export function noData(failed = 0): string {
  const text = t("no data");
  const lines = text === NO_DATA_TEXT ? [text] : [text, NO_DATA_TEXT];
  return [failed ? `${failed} ${t("failed")}` : "", ...lines].filter(Boolean).join("\n");
}

export function placeFacts(context: DrawContext, length?: number, bin?: string): Facts {
  const { x, y } = axisTitles(context);
  return [
    [y, length === undefined ? "" : count(length, context.language)],
    [x, bin ?? ""],
  ];
}

function factsOf(share: number | null, cell: HeatCell, context: DrawContext): Facts {
  const { language } = context;
  const some = (number: number): string => (number ? count(number, language) : "");
  return [
    [t("accuracy"), share === null ? t("no data") : percentage(share, language)],
    ...intervalFacts(cell, context),
    [t("questions"), count(cell.n, language)],
    [t("unparsed"), count(cell.unparsed, language)],
    [t("not judged"), some(cell.answered)],
    [t("failed"), some(cell.failed)],
    [t("skipped"), some(cell.skipped)],
  ];
}

function meanFacts(share: number | null, mean: HeatMean, context: DrawContext): Facts {
  const { language, choice } = context;
  const name = choice.isMeanOfQuestions ? t("mean of questions") : t("mean of cells");
  const more: Facts = choice.isMeanOfQuestions ? intervalFacts(mean, context) : [[t("cells"), count(mean.cells, language)]];
  return [
    [name, share === null ? t("no data") : percentage(share, language)],
    ...more,
    [t("answers"), count(mean.n, language)],
    [t("unparsed"), count(mean.unparsed, language)],
  ];
}

export function intervalFacts({ interval }: Pick<HeatCell, "interval">, { language }: DrawContext): Facts {
  if (!interval) return [];
  return [[t("95% interval"), `${percentage(interval.low, language, 1)} – ${percentage(interval.high, language, 1)}`]];
}

function differenceFacts(cell: HeatDifference, { language }: DrawContext): Facts {
  if (cell.difference === null) return [[t("difference"), t("no data")]];
  const p = cell.p_adjusted;
  return [
    [t("difference"), t("{n} points", { n: points(cell.difference) })],
    [t("paired questions"), count(cell.pairs, language)],
    [t("scored higher"), count(cell.gained, language)],
    [t("scored lower"), count(cell.lost, language)],
    [t("p, corrected"), p === null ? MISSING : p < SMALLEST_P ? `< ${SMALLEST_P}` : p.toFixed(3)],
    [t("verdict"), cell.significant ? t("significant") : t("no difference shown")],
  ];
}

/** The tags of the questions behind a tile. */
function tagsOf(data: HeatmapData, tile: Tile | undefined): string[] {
  if (!tile) return [];
  const length = data.lengths[tile.row];
  const bin = data.bins[tile.column];
  return [...(length === undefined ? [] : [String(length)]), ...(bin === undefined ? [] : [bin])];
}
