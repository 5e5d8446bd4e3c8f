// Rows and questions put together from the blocks of a file.

import type { AnswerView, ItemRow, ItemView, Mark, Message, RunView } from "../api";
import type { Answers, Detail, Items, Texts } from "./head";

type Values = readonly (readonly (number | null)[])[];
export type Marker = (variant: number, item: number) => Mark;

/** How a value compares with the baseline's value of the same item. */
export function marker(values: Values, base: number, higherIsBetter: boolean | null): Marker {
  return (variant, item) => {
    const value = values[variant]?.[item] ?? null;
    const before = values[base]?.[item] ?? null;
    if (variant === base || value === null || before === null) return "";
    if (value === before) return "same";
    if (higherIsBetter === null) return "";
    return value > before === higherIsBetter ? "better" : "worse";
  };
}

export function itemRow(item: number, items: Items, metric: string, mark: Marker): ItemRow {
  return {
    item,
    id: items.ids[item] ?? "",
    question: items.questions[item] ?? "",
    source: items.sources[items.source[item] ?? -1] ?? "",
    cells: items.status.map((status, variant) => ({
      status: items.statuses[status[item] ?? -1] ?? "absent",
      value: items.values[metric]?.[variant]?.[item] ?? null,
      mark: mark(variant, item),
      is_abstained: abstained(items, variant, item),
      is_unsure: items.unsure?.[variant]?.[item] === 1,
    })),
  };
}

function abstained(items: Items, variant: number, item: number): boolean | null {
  const known = items.abstained[variant]?.[item] ?? null;
  return known === null ? null : known === 1;
}

/** One question with everything that was expected and answered. */
export function itemView(
  item: number,
  run: RunView,
  items: Items,
  answers: Answers,
  texts: Texts,
  detail: Detail,
): ItemView {
  const higherIsBetter = run.metrics.find(({ name }) => name === run.primary)?.higher_is_better ?? null;
  const base = run.variants.findIndex(({ name }) => name === run.baseline);
  const mark = marker(items.values[run.primary] ?? [], base, higherIsBetter);
  const row = itemRow(item, items, run.primary, mark);
  return {
    item,
    id: row.id,
    question: row.question,
    source: row.source,
    expected: detail.expected,
    gold: detail.gold.map(({ id, text }) => ({ id, text: text === null ? null : (texts.passages[text] ?? null) })),
    tags: items.tags[items.tag[item] ?? -1] ?? [],
    answers: detail.answers.map((answer, variant): AnswerView => {
      const cell = row.cells[variant];
      return {
        ...answer,
        verdicts: answer.verdicts ?? [],
        variant: run.variants[variant]?.name ?? "",
        status: cell?.status ?? "absent",
        answer: answers[variant]?.[item] ?? null,
        value: cell?.value ?? null,
        mark: cell?.mark ?? "",
        is_abstained: cell?.is_abstained ?? null,
        passages:
          answer.passages?.map((passage) => ({
            ...passage,
            text: passage.text === null ? null : (texts.passages[passage.text] ?? null),
          })) ?? null,
        scores: answer.scores.map(([name, value, reason, unsure]) => ({
          name,
          value,
          title: texts.titles[name] ?? name,
          reason: texts.reasons[reason] ?? null,
          unsure: (texts.reasons[unsure ?? -1] as Message | undefined) ?? null,
        })),
      };
    }),
    is_cut: detail.is_cut,
  };
}
