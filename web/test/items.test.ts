import assert from "node:assert/strict";
import { test } from "node:test";
import type { ItemPage, ItemQuery, ItemRow } from "../src/api";
import { NO_FILTER } from "../src/route";
import type { Source } from "../src/source/source";
import { forgetItems, ItemList, itemList, PAGE } from "../src/state/items";

interface Asked {
  readonly query: ItemQuery;
  readonly signal: AbortSignal;
}

/** A source of `length` rows that says how many there are only when it is asked to count. */
function rows(length: number, asked: Asked[], isTotalKnown = false): Source {
  const page = (query: ItemQuery): ItemPage => ({
    rows: Array.from({ length: Math.max(0, Math.min(query.limit, length - query.offset)) }, (_, at) => ({ id: `q${query.offset + at}` }) as ItemRow),
    offset: query.offset,
    total: isTotalKnown ? length : null,
    is_last: query.offset + query.limit >= length,
  });
  return {
    items: async (_: string, query: ItemQuery, signal: AbortSignal) => {
      asked.push({ query, signal });
      await Promise.resolve();
      signal.throwIfAborted();
      return page(query);
    },
    count: () => Promise.resolve({ total: length }),
  } as unknown as Source;
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("pages are asked for once, when a row of them comes into view", async () => {
  const asked: Asked[] = [];
  const list = new ItemList(rows(1000, asked), "r", NO_FILTER);
  list.show(90, 110);
  list.show(95, 120);
  await settled();
  assert.deepEqual(asked.map(({ query }) => query.offset), [0, PAGE]);
  assert.equal(list.row(105)?.id, "q105");
  assert.equal(list.row(205), null);
  assert.equal(list.total, 1000);
  list.show(100, 150);
  await settled();
  assert.equal(asked.length, 2);
});

test("a page that went out of view is cancelled, which is no error, and can be asked for again", async () => {
  const asked: Asked[] = [];
  const list = new ItemList(rows(1000, asked), "r", NO_FILTER);
  list.show(0, 10);
  list.show(900, 910);
  await settled();
  assert.deepEqual(asked.map(({ signal }) => signal.aborted), [true, false]);
  assert.deepEqual([list.error, list.row(0), list.row(900)?.id], [null, null, "q900"]);
  assert.equal((await list.rowAt(3))?.id, "q3");
});

test("the last page says how many rows there are without counting", async () => {
  const source = rows(150, []);
  source.count = () => assert.fail("counted");
  const list = new ItemList(source, "r", NO_FILTER);
  list.show(120, 130);
  await settled();
  assert.equal(list.total, 150);
  assert.equal(await list.rowAt(150), null);
  assert.equal(await list.rowAt(-1), null);
});

test("rows are loaded in order for printing, up to the number that is wanted", async () => {
  const asked: Asked[] = [];
  const list = new ItemList(rows(1000, asked, true), "r", NO_FILTER);
  await list.prefetch(250);
  assert.deepEqual([asked.length, list.loaded], [3, 300]);
  list.show(700, 710);
  await settled();
  assert.equal(list.loaded, 300);
});

test("an error is kept and told, and a closed list asks for nothing", async () => {
  const list = new ItemList({ items: () => Promise.reject(new Error("away")) } as unknown as Source, "r", NO_FILTER);
  let told = 0;
  const leave = list.subscribe(() => told++);
  list.show(0, 1);
  await settled();
  assert.deepEqual([list.error?.message, told], ["away", 1]);
  leave();
  const asked: Asked[] = [];
  const closed = new ItemList(rows(10, asked), "r", NO_FILTER);
  closed.close();
  closed.show(0, 1);
  assert.deepEqual(asked, []);
});

test("the table and the keys of a question share the list of a filter", () => {
  const source = rows(10, []);
  const list = itemList(source, "r", NO_FILTER);
  assert.equal(itemList(source, "r", { ...NO_FILTER }), list);
  const worse = itemList(source, "r", { ...NO_FILTER, show: "worse" });
  assert.notEqual(worse, list);
  forgetItems();
  assert.notEqual(itemList(source, "r", { ...NO_FILTER, show: "worse" }), worse);
});
