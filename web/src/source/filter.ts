// Filters and sorting of the items inside a file; they mean the same as the server's.

import type { ItemQuery, ItemRow } from "../api";

export interface FilterContext {
  readonly variants: readonly string[];
  readonly baseline: string;
  readonly higherIsBetter: boolean | null;
}

/** What a filter looks at besides the row: found again by the item's index. */
export interface ItemFacts {
  readonly tags: readonly string[];
  readonly hasGold: boolean;
  /** What is special about the verdicts of a judge, by variant. */
  readonly judged: readonly (readonly [judge: string, flags: readonly number[]])[];
}

/** Whether a row passes every part of the filter except the search for a text. */
export function passes(row: ItemRow, facts: ItemFacts, query: ItemQuery, context: FilterContext): boolean {
  if (query.source && row.source !== query.source) return false;
  if (query.tag && !query.tag.split("\n").every((tag) => facts.tags.includes(tag))) return false;
  if (!inRange(row, query, context)) return false;
  return isShown(row, facts, query, context);
}

function chosen(row: ItemRow, query: ItemQuery, context: FilterContext, withBase: boolean): ItemRow["cells"] {
  if (query.variant) {
    const cell = row.cells[context.variants.indexOf(query.variant)];
    return cell ? [cell] : [];
  }
  if (withBase) return row.cells;
  return row.cells.filter((_, index) => context.variants[index] !== context.baseline);
}

function inRange(row: ItemRow, query: ItemQuery, context: FilterContext): boolean {
  if (query.low === null && query.high === null) return true;
  const low = query.low ?? -Infinity;
  const high = query.high ?? Infinity;
  return chosen(row, query, context, true).some(
    ({ value }) => value !== null && value >= low && value <= high,
  );
}

function isShown(row: ItemRow, facts: ItemFacts, query: ItemQuery, context: FilterContext): boolean {
  switch (query.show) {
    case "all":
      return true;
    case "different":
      return chosen(row, query, context, false).some((cell) => {
        const base = baseValue(row, context);
        return cell.value !== null && base !== null && cell.value !== base;
      });
    case "worse":
    case "better":
      return chosen(row, query, context, false).some((cell) => cell.mark === query.show);
    case "abstained":
      return chosen(row, query, context, true).some((cell) => cell.is_abstained === true);
    case "unsure":
      return chosen(row, query, context, true).some((cell) => cell.is_unsure);
    case "without_gold":
      return !facts.hasGold;
    case "against_people":
    case "against_judges":
    case "judge_unparsed":
      return isJudged(facts, JUDGED[query.show], query, context);
    default:
      return chosen(row, query, context, true).some((cell) => cell.status === query.show);
  }
}

const JUDGED = { against_people: 1, against_judges: 2, judge_unparsed: 4 };

function isJudged(facts: ItemFacts, flag: number, query: ItemQuery, context: FilterContext): boolean {
  const variant = query.variant ? context.variants.indexOf(query.variant) : null;
  return facts.judged.some(
    ([judge, flags]) =>
      (!query.judge || judge === query.judge) &&
      flags.some((each, number) => (variant === null || number === variant) && (each & flag) !== 0),
  );
}

function baseValue(row: ItemRow, context: FilterContext): number | null {
  return row.cells[context.variants.indexOf(context.baseline)]?.value ?? null;
}

/** The rows in the order of the query; those without a value come last in both directions. */
export function inOrder(rows: readonly ItemRow[], query: ItemQuery, context: FilterContext): ItemRow[] {
  const sorted = [...rows];
  const turn = query.descending ? -1 : 1;
  if (query.sort === "file") return query.descending ? sorted.reverse() : sorted;
  if (query.sort === "id") return sorted.sort((a, b) => turn * compareText(a.id, b.id));
  const key =
    query.sort === "difference"
      ? (row: ItemRow): number | null => worstGain(row, query, context)
      : (row: ItemRow): number | null => row.cells[context.variants.indexOf(query.sort)]?.value ?? null;
  const keys = new Map(sorted.map((row) => [row, key(row)]));
  return sorted.sort((a, b) => compareKeys(keys.get(a) ?? null, keys.get(b) ?? null, turn));
}

function worstGain(row: ItemRow, query: ItemQuery, context: FilterContext): number | null {
  const base = baseValue(row, context);
  if (base === null) return null;
  const sign = context.higherIsBetter === false ? -1 : 1;
  const gains = chosen(row, query, context, false)
    .filter((cell) => cell.value !== null)
    .map((cell) => sign * ((cell.value as number) - base));
  return gains.length ? Math.min(...gains) : null;
}

function compareKeys(a: number | null, b: number | null, turn: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return turn * (a - b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A test for a text, without regard to case. */
export function textTest(wanted: string): (text: string) => boolean {
  const lower = wanted.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
}
