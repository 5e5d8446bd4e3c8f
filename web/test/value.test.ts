import assert from "node:assert/strict";
import { test } from "node:test";
import { parseValues, showValues } from "../src/configure/value";
import { blobOf, fileName } from "../src/charts/download";

test("values of a setting are read as a person means them", () => {
  assert.deepEqual(parseValues("128, 0.5，-1e3; on ,False, null, 1.2.3, v2,, "), [128, 0.5, -1000, true, false, null, "1.2.3", "v2"]);
  assert.deepEqual(parseValues(" "), []);
});

test("values that are shown can be read again", () => {
  for (const values of [[128, 0.5], [true, null], ["text with spaces", -1]]) assert.deepEqual(parseValues(showValues(values)), values);
  assert.equal(showValues([{ a: 1 }, [2]]), '{"a":1}, [2]');
});

test("the name of a saved file has letters of any language and no separators of folders", () => {
  assert.equal(fileName("отчёт/1", "../实验 a?"), "отчёт_1-.._实验_a_");
});

test("a picture is saved with its bytes and its type", async () => {
  const blob = blobOf("data:image/png;base64,iVBORw==");
  assert.equal(blob.type, "image/png");
  assert.deepEqual([...new Uint8Array(await blob.arrayBuffer())], [0x89, 0x50, 0x4e, 0x47]);
});
