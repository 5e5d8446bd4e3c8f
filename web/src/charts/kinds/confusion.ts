// Stated level by true level, one matrix for each variant; a row is shaded by its shares.

import { count, percentage } from "../../text/number";
import { show } from "../../words";
import type { ConfusionData } from "../data";
import { axisTitles, type DrawContext, type Drawing } from "../drawing";
import { matrix } from "./matrix";

export function confusion(context: DrawContext): Drawing {
  const { choice, language } = context;
  const data = context.chart.data as ConfusionData;
  const chosen = data.matrices[choice.panel] ?? data.matrices[0];
  const titles = axisTitles(context);
  const rows = data.rows.map((text) => show(text));
  const columns = data.columns.map((text) => show(text));
  const tiles = (chosen?.counts ?? []).flatMap((counts, row) => {
    const sum = counts.reduce((total, number) => total + number, 0);
    return counts.map((number, column) => ({
      column,
      row,
      share: sum ? number / sum : null,
      text: count(number, language),
      facts: [
        ["n", count(number, language)],
        [rows[row] as string, percentage(sum ? number / sum : null, language, 1)],
      ] as const,
    }));
  });
  return {
    ...matrix(context, { columns, rows, x: titles.x, y: titles.y, tiles, heat: "count" }),
    columns: [titles.y, ...columns],
    rows: (chosen?.counts ?? []).map((numbers, row) => [rows[row] as string, ...numbers]),
  };
}
