// The items of a run under one filter, fetched in pages as they come into view. The table and the
// keys "next" and "previous" of a question share it.

import { useEffect, useReducer, useRef } from "preact/hooks";
import type { ItemRow } from "../api";
import { type Filter, formatFilter } from "../route";
import { errorOf, type Source } from "../source/source";

export const PAGE = 100;
const MOST_PAGES = 60;

export class ItemList {
  readonly key: string;
  total: number | null = null;
  error: Error | null = null;
  private readonly pages = new Map<number, readonly ItemRow[]>();
  private readonly asked = new Map<number, AbortController>();
  private readonly listeners = new Set<() => void>();
  private readonly abort = new AbortController();
  private isCounting = false;
  private seen = 0;

  constructor(
    private readonly source: Source,
    private readonly run: string,
    private readonly filter: Filter,
  ) {
    this.key = listKey(run, filter);
  }

  /** How many rows there are, as far as is known. */
  get length(): number {
    return this.total ?? this.seen;
  }

  row(index: number): ItemRow | null {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE] ?? null;
  }

  /** Fetches the pages of rows `first` to `last`; pages that went out of view are cancelled. */
  show(first: number, last: number): void {
    const from = Math.max(0, Math.floor(first / PAGE));
    const to = Math.max(from, Math.floor(Math.max(first, last) / PAGE));
    for (const [page, request] of this.asked) {
      if (page < from - 1 || page > to + 1) request.abort();
    }
    for (let page = from; page <= to; page++) void this.fetch(page);
  }

  /** How many rows from the first one on are here. */
  get loaded(): number {
    let page = 0;
    while (this.pages.has(page)) page++;
    return Math.min(page * PAGE, this.length);
  }

  /** Fetches the first rows one page after the other, without hurry. */
  async prefetch(rows: number): Promise<void> {
    for (let page = 0; page * PAGE < rows && !this.abort.signal.aborted; page++) {
      await this.fetch(page);
      if (this.error || this.length <= (page + 1) * PAGE) return;
    }
  }

  /** The row at a place of the list, fetched if need be; `null` past the end. */
  async rowAt(index: number): Promise<ItemRow | null> {
    if (index < 0 || (this.total !== null && index >= this.total)) return null;
    if (!this.row(index)) await this.fetch(Math.floor(index / PAGE));
    return this.row(index);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.abort.abort();
    for (const request of this.asked.values()) request.abort();
  }

  private async fetch(page: number): Promise<void> {
    if (this.pages.has(page) || this.asked.has(page) || this.abort.signal.aborted) return;
    const request = new AbortController();
    this.asked.set(page, request);
    try {
      const query = { ...this.filter, offset: page * PAGE, limit: PAGE };
      const found = await this.source.items(this.run, query, request.signal);
      this.keep(page, found.rows);
      this.seen = Math.max(this.seen, page * PAGE + found.rows.length + (found.is_last ? 0 : PAGE));
      if (found.total !== null) this.total = found.total;
      else if (found.is_last && found.rows.length) this.total = page * PAGE + found.rows.length;
      else void this.count();
    } catch (error) {
      if (request.signal.aborted) return;
      this.error = errorOf(error);
    } finally {
      this.asked.delete(page);
      this.tell();
    }
  }

  private keep(page: number, rows: readonly ItemRow[]): void {
    this.pages.set(page, rows);
    const oldest = this.pages.keys().next().value;
    if (this.pages.size > MOST_PAGES && oldest !== undefined) this.pages.delete(oldest);
  }

  private async count(): Promise<void> {
    if (this.isCounting) return;
    this.isCounting = true;
    try {
      const query = { ...this.filter, offset: 0, limit: 1 };
      this.total = (await this.source.count(this.run, query, this.abort.signal)).total;
    } catch (error) {
      if (!this.abort.signal.aborted) this.error = errorOf(error);
    }
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

function listKey(run: string, filter: Filter): string {
  return JSON.stringify([run, formatFilter(filter)]);
}

/** Draws a component again when the list, or what `part` takes of it, has changed. */
export function useItems<T>(list: ItemList, part: (list: ItemList) => T = () => ({}) as T): T {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const shown = part(list);
  const last = useRef({ part, shown });
  last.current = { part, shown };
  useEffect(() => {
    const look = (): void => {
      if (last.current.part(list) !== last.current.shown) redraw(null);
    };
    look(); // it may have changed between the drawing and now
    return list.subscribe(look);
  }, [list]);
  return shown;
}

let latest: ItemList | null = null;

/** The list of a run and filter; the last one is kept, so that "next" finds what the table fetched. */
export function itemList(source: Source, run: string, filter: Filter): ItemList {
  if (latest?.key === listKey(run, filter) && !latest.error) return latest;
  latest?.close();
  latest = new ItemList(source, run, filter);
  return latest;
}

/** Forgets the list, for example because the run goes on. */
export function forgetItems(): void {
  latest?.close();
  latest = null;
}
