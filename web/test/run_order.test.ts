import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunCard } from "../src/api";
import { inRunOrder, matchesRun, RUN_COLUMNS } from "../src/parts/run_order";

const card = (name: string, part: Partial<RunCard> = {}): RunCard =>
  ({ id: `eval/${name}`, name, job: "ablation", system: "reference: 1.2", state: "complete", variants: ["full", "no_hyde"], about: null, ...part }) as RunCard;
const runs = [
  card("B", { headline: 0.5, paid: null, started_at: "2026-03-01", elapsed_s: 9, questions: 20 }),
  card("a", { headline: null, paid: 2, started_at: "2026-02-01", elapsed_s: 100, questions: 3 }),
  card("c", { headline: -0.25, paid: 0.1, started_at: null, elapsed_s: 20, questions: 100 }),
];
const names = (sort: string): string => inRunOrder(runs, sort).map(({ name }) => name).join("");

test("a search finds runs in which every word occurs somewhere, whatever its case", () => {
  const run = card("HyDE-7", { about: { title: "Договоры", tags: ["ночь"], note: "", is_archived: false } as unknown as RunCard["about"] });
  for (const text of ["", "  ", "hyde", "договоры", "no_hyde complete", "НОЧЬ abl"]) assert.ok(matchesRun(run, text), text);
  for (const text of ["hyde failed", "note", "day"]) assert.ok(!matchesRun(run, text), text);
});

test("without a column, or with an unknown one, runs stay as they come", () => {
  assert.equal(names(""), "Bac");
  assert.equal(names("-nothing"), "Bac");
});

test("names are sorted without regard to case, numbers as numbers", () => {
  assert.equal(names("name"), "aBc");
  assert.equal(names("-name"), "cBa");
  assert.equal(names("questions"), "aBc");
  assert.equal(names("-time"), "acB");
});

test("runs without a value come last in both directions", () => {
  assert.equal(names("headline"), "cBa");
  assert.equal(names("-headline"), "Bca");
  assert.equal(names("started"), "aBc");
  assert.equal(names("-cost"), "acB");
});

test("every column can be sorted by, and the given list stays as it is", () => {
  for (const column of RUN_COLUMNS) assert.equal(inRunOrder(runs, column).length, 3);
  assert.deepEqual(runs.map(({ name }) => name), ["B", "a", "c"]);
});
