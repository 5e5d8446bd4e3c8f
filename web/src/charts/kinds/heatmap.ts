// Accuracy by depth and length of the context, one map for each model.

import type { Interval } from "../../api";
import { count } from "../../text/number";
import type { HeatCell, HeatmapData } from "../data";
import { axisTitles, type DrawContext, type Drawing } from "../drawing";
import { matrix } from "./matrix";

export function heatmap(context: DrawContext): Drawing {
  const { choice, language, words } = context;
  const data = context.chart.data as HeatmapData;
  const model = data.models[choice.panel] ?? data.models[0];
  const view = model?.views[choice.isParsedOnly ? "parsed" : "all"];
  const titles = axisTitles(context);
  const lengths = data.lengths.map((length) => count(length, language));
  const bins = data.bins.map(binName);
  const cells = new Map((view?.cells ?? []).map((cell) => [`${cell.context_length} ${cell.depth_bin}`, cell]));
  const tiles = data.lengths.flatMap((length, row) =>
    data.bins.map((bin, column) => {
      const cell = cells.get(`${length} ${bin}`);
      const accuracy = cell?.accuracy ?? null;
      return {
        column,
        row,
        share: accuracy,
        text: accuracy === null ? "" : percent(accuracy),
        facts: cell ? facts(cell, context) : [[words.charts.noData, ""] as const],
      };
    }),
  );
  return {
    ...matrix(context, { columns: bins, rows: lengths, x: titles.x, y: titles.y, tiles, scale: ["0", "1"] }),
    columns: [titles.y, titles.x, words.charts.value, words.charts.low, words.charts.high, "n", words.counts.unparsed],
    rows: (view?.cells ?? []).map((cell) => {
      const interval = ends(cell.interval);
      return [cell.context_length, binName(cell.depth_bin), cell.accuracy, interval?.low ?? null, interval?.high ?? null, cell.n, cell.unparsed];
    }),
  };
}

function binName(bin: string | number): string {
  return typeof bin === "number" ? `${Math.round(bin * 100)}%` : bin;
}

function percent(share: number): string {
  const text = (share * 100).toFixed(1);
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}

function ends(interval: HeatCell["interval"]): Interval | null {
  if (!interval) return null;
  return "low" in interval ? interval : { low: interval[0], high: interval[1] };
}

function facts(cell: HeatCell, { language, words }: DrawContext): [string, string][] {
  const interval = ends(cell.interval);
  return [
    [words.charts.value, cell.accuracy === null ? "–" : `${percent(cell.accuracy)}%`],
    [words.charts.interval, interval ? `${percent(interval.low)}–${percent(interval.high)}%` : ""],
    ["n", count(cell.n, language)],
    [words.counts.unparsed, count(cell.unparsed, language)],
  ];
}
