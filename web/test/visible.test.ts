import assert from "node:assert/strict";
import { test } from "node:test";
import { places } from "../src/label/span";
import { stretches } from "../src/text/stretch";
import { oneLine, pieces, visible, shortened } from "../src/text/visible";

test("characters that cannot be seen are shown as their escapes", () => {
  assert.equal(visible("a\u001b[31mred\u202e!\u2028\u0000\u009b"), "a\\x1b[31mred\\u202e!\\u2028\\x00\\x9b");
  assert.deepEqual(pieces("a\u001bb"), [
    { text: "a", isEscape: false },
    { text: "\\x1b", isEscape: true },
    { text: "b", isEscape: false },
  ]);
});

test("lines, tabs, Chinese and emoji stay as they are", () => {
  assert.equal(visible("一\n\t👩‍⚖️ é\r\nend"), "一\n\t👩‍⚖️ é\nend");
  assert.equal(oneLine("  two\n lines\t"), "two lines");
});

test("marked stretches count code points, may overlap, and never run past the end", () => {
  const parts = stretches("👍合同a条", [[1, 3], [2, 4], [4, 99]]);
  assert.deepEqual(parts, [
    { text: "👍", isMarked: false },
    { text: "合同a条", isMarked: true },
  ]);
  assert.deepEqual(stretches("abc", []), [{ text: "abc", isMarked: false }]);
  assert.deepEqual(stretches("abc", [[5, 9], [2, 1]]), [{ text: "abc", isMarked: false }]);
});

test("each place on the screen is a place of the text, also behind escapes and emoji", () => {
  assert.deepEqual(places("a\u001b👍\r\nb"), [0, 1, 1, 1, 1, 2, 2, 4, 5, 6]);
  assert.equal(places("a\u202e\r\n👍").length - 1, visible("a\u202e\r\n👍").length);
});

test("a long name loses its middle, not the end by which it differs", () => {
  assert.equal(shortened("fast_dim_1024", 12), "fas…dim_1024");
  assert.equal(shortened("short", 12), "short");
});
