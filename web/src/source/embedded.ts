// The data inside this file. Filters, sorting and searching happen here, in short turns.

import type { CompareView, GroupView, ItemCount, ItemPage, ItemQuery, ItemRow, ItemView, MapView, RunView, TextPart, Workspace } from "../api";
import { Blocks } from "./block";
import { type FilterContext, inOrder, type ItemFacts, passes, textTest } from "./filter";
import type { Answers, Detail, Head, Items, RunEntry, Texts } from "./head";
import { itemRow, itemView, marker } from "./item";
import { inTurns } from "./pause";
import { type Search, workerSearch } from "./regex";
import { type CompareCall, type Source, SourceError } from "./source";

/** The source of a page that has its data inside; `null` if it has none. */
export function embeddedSource(document: Document): Source | null {
  const element = document.getElementById("assay-head");
  if (!element) return null;
  return new EmbeddedSource(JSON.parse(element.textContent) as Head, new Blocks(document));
}

type BlockReader = Pick<Blocks, "get">;

export class EmbeddedSource implements Source {
  private last: { key: string; rows: Promise<ItemRow[]> } | null = null;

  readonly hasRows = false;
  readonly canCompare: boolean;
  readonly hasMap: boolean;

  constructor(
    private readonly head: Head,
    private readonly blocks: BlockReader,
    private readonly search: Search = workerSearch,
  ) {
    this.canCompare = head.compares.length > 0;
    this.hasMap = head.map !== undefined;
  }

  workspace(): Promise<Workspace> {
    return Promise.resolve(this.head.workspace);
  }

  prefix(run: string): string {
    return this.head.runs.find(({ id }) => id === run)?.href ?? "";
  }

  async run(run: string): Promise<RunView> {
    return this.blocks.get<RunView>(this.entry(run).view);
  }

  async groups(run: string, field: string): Promise<GroupView> {
    const block = this.entry(run).groups?.[field];
    if (block === undefined) throw new SourceError("", "static");
    return this.blocks.get<GroupView>(block);
  }

  async items(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemPage> {
    const rows = await this.matching(run, query, signal);
    return {
      rows: rows.slice(query.offset, query.offset + query.limit),
      offset: query.offset,
      total: rows.length,
      is_last: query.offset + query.limit >= rows.length,
    };
  }

  async count(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemCount> {
    return { total: (await this.matching(run, query, signal)).length };
  }

  async item(run: string, id: string): Promise<ItemView> {
    const entry = this.entry(run);
    const item = indexOf(id, await this.blocks.get<Items>(entry.items));
    const part = entry.details[Math.floor(item / entry.per)];
    if (item < 0 || part === undefined) throw new SourceError("", "lost");
    const [view, items, answers, texts, details] = await Promise.all([
      this.run(run),
      this.blocks.get<Items>(entry.items),
      this.blocks.get<Answers>(entry.answers),
      this.blocks.get<Texts>(entry.texts),
      this.blocks.get<readonly Detail[]>(part),
    ]);
    const detail = details[item % entry.per];
    if (!detail) throw new SourceError("", "broken");
    return itemView(item, view, items, answers, texts, detail);
  }

  row(): Promise<TextPart> {
    return Promise.reject(new SourceError("", "no row"));
  }

  text(): Promise<TextPart> {
    return Promise.reject(new SourceError("", "no row"));
  }

  async compare({ base, candidate }: CompareCall): Promise<CompareView> {
    const found = this.head.compares.find((each) => each.base === base && each.cand === candidate);
    if (!found) throw new SourceError("", "static");
    return this.blocks.get<CompareView>(found.view);
  }

  async map(): Promise<MapView> {
    if (this.head.map === undefined) throw new SourceError("", "lost");
    return this.blocks.get<MapView>(this.head.map);
  }

  private entry(run: string): RunEntry {
    const entry = this.head.runs.find(({ id }) => id === run);
    if (!entry || entry.href) throw new SourceError("", "lost");
    return entry;
  }

  /** All rows of a query in its order; kept for the next page of the same query. */
  private matching(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemRow[]> {
    const key = JSON.stringify([run, { ...query, offset: 0, limit: 0 }]);
    if (this.last?.key !== key) {
      const rows = this.filtered(run, query, signal);
      const asked = { key, rows };
      this.last = asked;
      rows.catch(() => {
        if (this.last === asked) this.last = null;
      });
    }
    return this.last.rows;
  }

  private async filtered(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemRow[]> {
    const entry = this.entry(run);
    const [view, items] = await Promise.all([this.run(run), this.blocks.get<Items>(entry.items)]);
    const answers = query.text ? await this.blocks.get<Answers>(entry.answers) : [];
    signal.throwIfAborted();
    const metric = query.metric || view.primary;
    const higherIsBetter = view.metrics.find(({ name }) => name === metric)?.higher_is_better ?? null;
    const variants = view.variants.map(({ name }) => name);
    const context: FilterContext = { variants, baseline: view.baseline, higherIsBetter };
    const mark = marker(items.values[metric] ?? [], variants.indexOf(view.baseline), higherIsBetter);
    const found: ItemRow[] = [];
    await inTurns(items.order.length, signal, (place) => {
      const item = items.order[place] as number;
      const row = itemRow(item, items, metric, mark);
      if (!passes(row, factsOf(item, items), query, context)) return;
      found.push(row);
    });
    const textsOf = ({ item, question }: ItemRow): string[] => [question, ...answers.map((texts) => texts[item] ?? "")];
    const kept = query.text ? await this.searched(found, textsOf, query, signal) : found;
    return inOrder(kept, query, context);
  }

  /** The rows with a text that matches; an expression is tried in a worker that can be ended. */
  private async searched(
    rows: readonly ItemRow[],
    textsOf: (row: ItemRow) => string[],
    query: ItemQuery,
    signal: AbortSignal,
  ): Promise<ItemRow[]> {
    if (query.regex) {
      const hits = await this.search(query.text, rows.map(textsOf), signal);
      return rows.filter((_, index) => hits[index]);
    }
    const test = textTest(query.text);
    const kept: ItemRow[] = [];
    await inTurns(rows.length, signal, (index) => {
      const row = rows[index] as ItemRow;
      if (textsOf(row).some(test)) kept.push(row);
    });
    return kept;
  }
}

function indexOf(id: string, { ids }: Items): number {
  const index = ids.indexOf(id);
  return index < 0 && /^\d+$/.test(id) && Number(id) < ids.length ? Number(id) : index;
}

function factsOf(item: number, items: Items): ItemFacts {
  const judged = Object.entries(items.judged ?? {}).map(([judge, flags]) => [judge, flags.map((each) => each[item] ?? 0)] as const);
  return { tags: items.tags[items.tag[item] ?? -1] ?? [], hasGold: items.has_gold[item] === 1, judged };
}
