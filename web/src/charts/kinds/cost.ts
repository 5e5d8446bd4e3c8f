// What each variant cost: money where it is known, otherwise tokens.

import { count, money } from "../../text/number";
import type { CostData } from "../data";
import { axisTitles, type DrawContext, type Drawing } from "../drawing";
import { groupedBars } from "./grouped";
import { t } from "../../words";

export type CostField = "cost" | "paid" | "judge_paid" | "calls" | "prompt_tokens" | "completion_tokens";
export const MONEY: readonly CostField[] = ["cost", "paid", "judge_paid"];
export const COST_FIELDS: readonly CostField[] = [...MONEY, "calls", "prompt_tokens", "completion_tokens"];

export function costNames(): Record<CostField, string> {
  return {
    cost: t("Cost"),
    paid: t("Paid"),
    judge_paid: t("Paid for judging"),
    calls: t("Calls"),
    prompt_tokens: t("Tokens in"),
    completion_tokens: t("Tokens out"),
  };
}

export function cost(context: DrawContext): Drawing {
  const { language, palette } = context;
  const data = context.chart.data as CostData;
  const names = costNames();
  const known = (fields: readonly CostField[]): CostField[] =>
    fields.filter((field) => data.bars.some((bar) => (bar[field] ?? 0) > 0));
  const isMoney = known(MONEY).length > 0;
  const tokens = known(["prompt_tokens", "completion_tokens"]);
  const fields = isMoney ? known(MONEY) : tokens.length ? tokens : known(["calls"]);
  const titles = axisTitles(context);
  return {
    ...groupedBars(context, {
      categories: data.bars.map(({ variant }) => variant),
      series: fields.map((field, at) => ({
        name: names[field],
        colour: palette.variants[at] as string,
        values: data.bars.map((bar) => bar[field]),
      })),
      axis: isMoney ? titles.y : fields.map((field) => names[field]).join(", "),
      most: null,
      format: (value) => (isMoney ? money(value, language) : count(value, language)),
    }),
    columns: [t("Variant"), ...COST_FIELDS.map((field) => names[field])],
    rows: data.bars.map((bar) => [bar.variant, ...COST_FIELDS.map((field) => bar[field])]),
  };
}
