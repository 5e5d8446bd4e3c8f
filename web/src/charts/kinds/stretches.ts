// A novel in parts of equal length, a row for each model: the questions of each part, or how well they
// were answered.

import { MAP_WORDS } from "../../map/words";
import { count, percentage, shortPercent } from "../../text/number";
import type { Stretch, StretchData } from "../data";
import { axisTitles, type DrawContext, type Drawing } from "../drawing";
import { intervalFacts } from "./heatmap";
import { matrix } from "./matrix";

export function stretchMap(context: DrawContext): Drawing {
  const { choice, language, words } = context;
  const data = context.chart.data as StretchData;
  const own = MAP_WORDS[language];
  const titles = axisTitles(context);
  const isCoverage = data.mode === "coverage";
  const rows = data.models.map(({ views }) => views[choice.isParsedOnly ? "parsed" : "all"]);
  const tiles = rows.flatMap((stretches, row) =>
    stretches.map((part, column) => {
      const share = isCoverage ? (part.questions ? part.questions / data.most : null) : part.accuracy;
      const text = share === null ? words.charts.noData : isCoverage ? count(part.questions, language) : shortPercent(share, 0);
      return { column, row, share, text, facts: factsOf(part, data, context), listing: part.listing };
    }),
  );
  return {
    ...matrix(context, {
      columns: (rows[0] ?? []).map(({ label }) => label),
      rows: data.models.map(({ model }) => model),
      x: titles.x,
      y: titles.y,
      tiles,
      heat: isCoverage ? "count" : choice.isSafe ? "safe" : "green-red",
      ...(isCoverage ? { scale: (share: number) => count(share * data.most, language) } : {}),
    }),
    columns: [titles.y, own.tokens, own.questions, own.covered, own.densest, own.accuracy, words.charts.low, words.charts.high, "n", words.counts.unparsed],
    rows: rows.flatMap((stretches, row) =>
      stretches.map((part) => [
        data.models[row]?.model ?? "",
        `${part.start}–${part.end}`,
        part.questions,
        part.covered,
        part.coverage,
        part.accuracy,
        part.interval?.low ?? null,
        part.interval?.high ?? null,
        part.n,
        part.unparsed,
      ]),
    ),
  };
}

function factsOf(part: Stretch, data: StretchData, context: DrawContext): [string, string][] {
  const { language, words } = context;
  const own = MAP_WORDS[language];
  const place: [string, string] = [own.tokens, `${count(part.start, language)}–${count(part.end, language)}`];
  if (data.mode === "coverage")
    return [
      [own.questions, count(part.questions, language)],
      [own.covered, percentage(part.covered, language, 1)],
      [own.densest, part.coverage === null ? words.charts.noData : percentage(part.coverage, language)],
      place,
    ];
  return [
    [own.accuracy, part.accuracy === null ? words.charts.noData : percentage(part.accuracy, language)],
    ...intervalFacts(part, context),
    [own.questions, count(part.n, language)],
    [words.counts.unparsed, count(part.unparsed, language)],
    place,
  ];
}
