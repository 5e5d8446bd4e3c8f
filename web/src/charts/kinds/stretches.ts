// A novel in parts of equal length, a row for each model: the questions of each part, or how well they
// were answered.

import { count, percentage, shortPercent } from "../../text/number";
import type { Stretch, StretchData } from "../data";
import { axisTitles, type DrawContext, type Drawing } from "../drawing";
import { intervalFacts } from "./heatmap";
import { matrix } from "./matrix";
import { t, tx } from "../../words";

export function stretchMap(context: DrawContext): Drawing {
  const { choice, language } = context;
  const data = context.chart.data as StretchData;
  const titles = axisTitles(context);
  const isCoverage = data.mode === "coverage";
  const rows = data.models.map(({ views }) => views[choice.isParsedOnly ? "parsed" : "all"]);
  const tiles = rows.flatMap((stretches, row) =>
    stretches.map((part, column) => {
      const share = isCoverage ? (part.questions ? part.questions / data.most : null) : part.accuracy;
      const text = share === null ? t("no data") : isCoverage ? count(part.questions, language) : shortPercent(share, 0);
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
    columns: [titles.y, t("tokens"), t("questions"), t("tokens that are evidence"), t("relative to the densest"), t("accuracy"), tx("interval", "from"), tx("interval", "to"), "n", t("unparsed")],
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
  const { language } = context;
  const place: [string, string] = [t("tokens"), `${count(part.start, language)}–${count(part.end, language)}`];
  if (data.mode === "coverage")
    return [
      [t("questions"), count(part.questions, language)],
      [t("tokens that are evidence"), percentage(part.covered, language, 1)],
      [t("relative to the densest"), part.coverage === null ? t("no data") : percentage(part.coverage, language)],
      place,
    ];
  return [
    [t("accuracy"), part.accuracy === null ? t("no data") : percentage(part.accuracy, language)],
    ...intervalFacts(part, context),
    [t("questions"), count(part.n, language)],
    [t("unparsed"), count(part.unparsed, language)],
    place,
  ];
}
