import assert from "node:assert/strict";
import { test } from "node:test";
import { listHeight, MOST_PIXELS, rowsInView, rowTop, scrollFor } from "../src/state/window";

test("only the rows in view and some around them are drawn", () => {
  const view = rowsInView(36_000, 720, 100_000, 36);
  assert.ok(view.first <= 1000 && view.first > 980);
  assert.ok(view.last >= 1020 && view.last - view.first < 60);
});

test("a list longer than a browser can scroll still reaches its last row", () => {
  const rows = 1_000_000;
  assert.equal(listHeight(rows, 36), MOST_PIXELS);
  const top = MOST_PIXELS - 720;
  const view = rowsInView(top, 720, rows, 36);
  assert.equal(view.last, rows - 1);
  const bottom = rowTop(rows - 1, top, 720, rows, 36) + 36;
  assert.ok(Math.abs(bottom - MOST_PIXELS) < 1);
});

test("scrolling to a row brings it into view, and does nothing if it is", () => {
  assert.equal(scrollFor(5, 0, 720, 100, 36), null);
  assert.equal(scrollFor(50, 0, 720, 100, 36), 51 * 36 - 720);
  assert.equal(scrollFor(2, 720, 720, 100, 36), 72);
});
