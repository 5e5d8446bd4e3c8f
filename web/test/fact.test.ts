import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf } from "../src/text/fact";

test("what a stage kept is written without brackets, with short numbers", () => {
  assert.equal(factsOf('{"kept": 3, "top_score": 0.04918, "dropped": []}', "en"), "kept: 3 · top_score: 0.0492 · dropped: –");
  assert.equal(factsOf('{"queries": ["a, b", "c"], "lexicon": true}', "en"), "queries: “a, b”, “c” · lexicon: true");
});

test("a long list is cut and says how long it is", () => {
  const grades = JSON.stringify({ grades: [0.605839, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1] });
  assert.equal(factsOf(grades, "en"), "grades: 0.606, 0.6, 0.5, 0.4, 0.3, 0.2, … (7)");
});

test("what is no object stays as it is", () => {
  for (const text of ["kept 3", "[1,2]", "7", "null"]) assert.equal(factsOf(text, "en"), text);
});
