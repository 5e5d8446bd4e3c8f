// What each variant cost: money where it is known, otherwise tokens.

import { count, money } from "../../text/number";
import type { CostData } from "../data";
import { axisTitles, type DrawContext, type Drawing } from "../drawing";
import { groupedBars } from "./grouped";

type Field = "cost" | "paid" | "judge_paid" | "calls" | "prompt_tokens" | "completion_tokens";
const FIELDS: readonly Field[] = ["cost", "paid", "judge_paid", "calls", "prompt_tokens", "completion_tokens"];

export function cost(context: DrawContext): Drawing {
  const { language, palette, words } = context;
  const data = context.chart.data as CostData;
  const names: Record<Field, string> = {
    cost: words.cost.cost,
    paid: words.cost.paid,
    judge_paid: words.cost.judge,
    calls: words.cost.calls,
    prompt_tokens: words.cost.input,
    completion_tokens: words.cost.output,
  };
  const known = (fields: readonly Field[]): Field[] =>
    fields.filter((field) => data.bars.some((bar) => (bar[field] ?? 0) > 0));
  const isMoney = known(["cost", "paid", "judge_paid"]).length > 0;
  const tokens = known(["prompt_tokens", "completion_tokens"]);
  const fields = isMoney ? known(["cost", "paid", "judge_paid"]) : tokens.length ? tokens : known(["calls"]);
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
    columns: [words.run.variant, ...FIELDS.map((field) => names[field])],
    rows: data.bars.map((bar) => [bar.variant, ...FIELDS.map((field) => bar[field])]),
  };
}
