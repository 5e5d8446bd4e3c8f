// Values by group and variant, for example by type of question, or by question.

import { MISSING } from "../../look";
import { count, significant } from "../../text/number";
import { show, t } from "../../words";
import { variantColour } from "../colour";
import type { GroupsData, ReasonsData } from "../data";
import { axisTitles, type DrawContext, type Drawing, variantNames } from "../drawing";
import { groupedBars } from "./grouped";

export function groups(context: DrawContext): Drawing {
  const { language, palette, run } = context;
  const data = context.chart.data as GroupsData;
  const titles = axisTitles(context);
  const labels = data.groups.map(({ label }) => show(label));
  const variants = variantNames(run).filter((name) => data.bars.some(({ variant }) => variant === name));
  const found = new Map(data.bars.map((bar) => [`${bar.variant}\n${bar.group}`, bar]));
  const bar = (variant: string, group: number) => found.get(`${variant}\n${data.groups[group]?.key}`);
  const format = (value: number | null): string =>
    value === null ? MISSING : data.scale === 100 ? value.toFixed(1) : significant(value, language);
  return {
    ...groupedBars(context, {
      categories: labels,
      series: variants.map((name) => ({
        name,
        colour: variantColour(palette, variantNames(run), name),
        values: labels.map((_, group) => bar(name, group)?.value ?? null),
      })),
      axis: titles.y,
      most: data.scale === 100 ? 100 : data.bars.every(({ value }) => (value ?? 0) <= 1) ? 1 : null,
      format,
      facts: (group, at) => [["n", count(bar(variants[at] as string, group)?.n ?? null, language)]],
    }),
    target: (group) => data.groups[group]?.item ?? null,
    columns: [titles.x, ...variants.flatMap((name) => [name, `${name}: n`])],
    rows: labels.map((label, group) => [
      label,
      ...variants.flatMap((name) => [bar(name, group)?.value ?? null, bar(name, group)?.n ?? null]),
    ]),
  };
}

export function reasons(context: DrawContext): Drawing {
  const { language, palette, run } = context;
  const data = context.chart.data as ReasonsData;
  const titles = axisTitles(context);
  const labels = data.reasons.map(({ label }) => show(label));
  const variants = variantNames(run).filter((name) => data.bars.some(({ variant }) => variant === name));
  const bar = (variant: string, at: number) =>
    data.bars.find((each) => each.variant === variant && each.reason === data.reasons[at]?.key);
  return {
    ...groupedBars(context, {
      categories: labels,
      series: variants.map((name) => ({
        name,
        colour: variantColour(palette, variantNames(run), name),
        values: labels.map((_, at) => bar(name, at)?.count ?? null),
      })),
      axis: titles.y,
      most: null,
      format: (value) => count(value, language),
      facts: (at, series) => [["n", count(bar(variants[series] as string, at)?.n ?? null, language)]],
    }),
    columns: [titles.x, ...variants.flatMap((name) => [name, `${name}: ${t("n")}`])],
    rows: labels.map((label, at) => [
      label,
      ...variants.flatMap((name) => [bar(name, at)?.count ?? null, bar(name, at)?.n ?? null]),
    ]),
  };
}
