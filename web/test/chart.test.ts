import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChartView, RunView } from "../src/api";
import { heatColour, paletteOf, variantColour } from "../src/charts/colour";
import { nextPlace } from "../src/charts/Canvas";
import { draw, panelsOf } from "../src/charts/draw";
import type { ChartChoice, Drawing } from "../src/charts/drawing";

const text = (en: string) => ({ en, zh: en, ru: en });
const run = {
  variants: [{ name: "base" }, { name: "new" }],
  metrics: [{ name: "recall", kind: "share", unit: "", is_bounded: true }],
} as unknown as RunView;
const CHOICE: ChartChoice = { isSafe: false, panel: 0, isParsedOnly: false, isMeanOfQuestions: false };

function drawn(kind: string, data: unknown, choice: Partial<ChartChoice> = {}): Drawing {
  const chart = { id: kind, kind, title: text(kind), x: text("x"), y: text("y"), note: null, data } as unknown as ChartView;
  const found = draw({ chart, run, language: "en", palette: paletteOf(false), choice: { ...CHOICE, ...choice }, isNarrow: false });
  assert.ok(found);
  return found;
}

test("a kind of chart that the page does not know is not drawn", () => {
  const chart = { kind: "pie" } as unknown as ChartView;
  assert.equal(draw({ chart, run, language: "en", palette: paletteOf(false), choice: CHOICE, isNarrow: false }), null);
});

test("a variant has the same colour in every chart, and variants side by side have different ones", () => {
  const palette = paletteOf(true);
  const names = Array.from({ length: 25 }, (_, at) => `v${at}`);
  assert.equal(variantColour(palette, names, "v3"), variantColour(palette, names, "v13"));
  assert.equal(new Set(names.slice(0, 10).map((name) => variantColour(palette, names, name))).size, 10);
});

test("a number on a tile can be read at every place of every scale", () => {
  const light = (colour: string): number => {
    const parts = /^#/.test(colour) ? colour.match(/\w\w/g)?.map((part) => parseInt(part, 16)) : colour.match(/\d+/g)?.map(Number);
    const [r = 0, g = 0, b = 0] = (parts ?? []).map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const heat of ["green-red", "safe", "count", "difference"] as const)
    for (let share = -0.1; share <= 1.1; share += 0.01) {
      const { fill, ink } = heatColour(share, heat);
      const [low = 0, high = 0] = [light(fill), light(ink)].sort((a, b) => a - b);
      assert.ok((high + 0.05) / (low + 0.05) > 4.5, `${heat} ${share}`);
    }
});

const mean = { mean_of_cells: 0.75, mean_of_questions: 0.6, cells: 2, n: 5, unparsed: 0, interval: null };
const cell = (context_length: number, depth_bin: string, accuracy: number | null) => ({ context_length, depth_bin, accuracy, n: 3, unparsed: 1, failed: 2, skipped: 0, answered: 0, interval: null, listing: accuracy === null ? null : context_length });
const heatView = {
  cells: [cell(4000, "0%", 1), cell(4000, "50%", null), cell(8000, "50%", 0.5)],
  averages: { by_context_length: [{ ...mean, context_length: 4000 }], by_depth_bin: [{ ...mean, depth_bin: "50%" }], overall: mean },
};
const heatmap = { lengths: [4000, 8000], bins: ["0%", "50%"], models: [{ model: "m", run: "", views: { all: heatView, parsed: { ...heatView, cells: [] } } }], differences: [] };

test("a tile of the depth map says what its number is made of, and an empty one why it is empty", () => {
  const labels = drawn("heatmap", heatmap).places?.map(({ label }) => label) ?? [];
  assert.equal(labels[0], "4,000 · 0%: accuracy 100.00%, questions 3, unparsed 1, failed 2, y 4,000, x 0%");
  assert.ok(labels.some((label) => label.startsWith("4,000 · 50%: accuracy no data, questions 3")));
  assert.equal(drawn("heatmap", heatmap).listing?.(0), 4000);
});

test("the arrow keys move between tiles and stop at the edge", () => {
  const places = drawn("heatmap", heatmap).places ?? [];
  const from = (row: number, column: number) => places.find((place) => place.row === row && place.column === column) ?? null;
  const to = (key: string, start = from(0, 0)) => {
    const place = nextPlace(places, start, key);
    return place && [place.row, place.column];
  };
  assert.deepEqual([to("ArrowRight"), to("ArrowDown"), to("ArrowLeft"), to("End"), to("Home", from(0, 1)), to("ArrowUp", null)], [[0, 1], [1, 0], [0, 0], [0, 2], [0, 0], [0, 0]]);
  assert.equal(to("a"), undefined);
});

test("differences of two models have the middle of the scale for none, and a mark if they are significant", () => {
  const none = { difference: null, pairs: 0, gained: 0, lost: 0, p_adjusted: null, significant: false };
  const lower = { difference: -0.4, pairs: 11, gained: 0, lost: 5, p_adjusted: 0.0001, significant: true };
  const cells = [{ ...lower, context_length: 4000, depth_bin: "0%", listing: 7 }, { ...lower, difference: 0, significant: false, context_length: 8000, depth_bin: "50%", listing: null }];
  const differences = [{ model: "n", baseline: "m", note: text("note"), reach: 0.4, views: { all: { cells, by_context_length: [], by_depth_bin: [], overall: none } } }];
  const data = { ...heatmap, differences };
  assert.deepEqual(panelsOf({ kind: "heatmap", data } as unknown as ChartView), ["m", "n − m"]);
  const drawing = drawn("heatmap", data, { panel: 1 });
  const { series } = drawing.option as { series: { data: { value: number[]; label: { formatter: () => string } }[] }[] };
  assert.deepEqual(series[0]?.data.map(({ value, label }) => [value[2], label.formatter()]), [[0, "−40*"], [0.5, "0"]]);
  assert.match(drawing.places?.[0]?.label ?? "", /difference −40 points.*p, corrected < 0.001, verdict significant/);
  assert.equal(drawing.listing?.(0), 7);
});

test("a map along the novel has a row for each model, and counts against the fullest part", () => {
  const part = { label: "0–9K", start: 0, end: 9000, questions: 2, covered: 0.1, coverage: 1, accuracy: 0.996, n: 2, unparsed: 0, interval: null, listing: 3 };
  const views = { all: [part, { ...part, questions: 0, accuracy: null, listing: null }], parsed: [] };
  const shown = (mode: string) => {
    const { series } = drawn("stretches", { mode, most: 4, models: [{ model: "m", run: "", views }] }).option as { series: { data: { value: number[]; label: { formatter: () => string } }[] }[] };
    return series.map(({ data }) => data.length).concat(Number(series[0]?.data[0]?.label.formatter()));
  };
  assert.deepEqual([shown("coverage"), shown("accuracy")], [[1, 1, 2], [1, 1, 99]]);
});

test("a click on a tile of the depth map finds its questions, past the tiles without data", () => {
  const { tags, rows } = drawn("heatmap", heatmap);
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => tags?.(at)), [["4000", "0%"], ["8000", "50%"], ["4000"], ["50%"], []]);
  assert.deepEqual(tags?.(9), []);
  assert.deepEqual(rows[1], [4000, "50%", null, null, null, 3, 1, 0, 2, 0]);
  assert.deepEqual(drawn("heatmap", heatmap, { isParsedOnly: true }).rows, []);
});

test("the table of a chart has the numbers as they are, also where nothing is drawn", () => {
  const point = { variant: "new", difference: -0.25, interval: { low: -0.5, high: 0 }, plain: null, verdict: "worse", p: 0.01, n: 8 };
  const { rows, option } = drawn("differences", { metric: "recall", points: [point, { ...point, variant: "lost", difference: null, interval: null }] });
  assert.deepEqual(rows.map((row) => row.slice(0, 4)), [["new", -0.25, -0.5, 0], ["lost", null, null, null]]);
  const { series, xAxis } = option as { series: { type: string; data: unknown[] }[]; xAxis: { min: number; max: number } };
  assert.deepEqual(series.map(({ type, data }) => [type, data]), [["custom", [[0, -50, 0]]], ["scatter", [[-25, 0]]]]);
  assert.ok(xAxis.min <= -50 && xAxis.max >= 0);
});

test("bars of groups open the question of their group and keep the order of the variants", () => {
  const groups = [{ key: "a", label: text("A"), item: "q1" }, { key: "b", label: text("B"), item: null }];
  const bars = [{ variant: "new", group: "b", value: 0.5, n: 2 }, { variant: "base", group: "a", value: 1, n: 3 }];
  const { target, columns, rows } = drawn("groups", { groups, bars, scale: 1 });
  assert.deepEqual([target?.(0), target?.(1), target?.(5)], ["q1", null, null]);
  assert.deepEqual(columns, ["x", "base", "base: n", "new", "new: n"]);
  assert.deepEqual(rows, [["A", 1, 3, null, null], ["B", null, null, 0.5, 2]]);
});

test("a confusion matrix shows the chosen variant, as its table does", () => {
  const matrices = [{ variant: "base", counts: [[1, 0], [0, 0]] }, { variant: "new", counts: [[0, 2], [1, 1]] }];
  const data = { rows: [text("yes"), text("no")], columns: [text("said yes"), text("said no")], matrices };
  const tiles = (drawn("confusion", data, { panel: 1 }).option as { series: { data: { value: number[] }[] }[] }).series[0]?.data;
  assert.deepEqual(tiles?.map(({ value }) => value), [[0, 0, 0], [1, 0, 1], [0, 1, 0.5], [1, 1, 0.5]]);
  assert.deepEqual(drawn("confusion", data, { panel: 1 }).rows, [["yes", 0, 2], ["no", 1, 1]]);
});

test("costs are drawn as money where any is known, as tokens otherwise", () => {
  const bar = { variant: "base", cost: null, paid: null, judge_paid: null, calls: 3, prompt_tokens: 50, completion_tokens: 5 };
  const names = (bars: object[]): string[] => (drawn("cost", { bars }).option as { series: { name: string }[] }).series.map(({ name }) => name);
  assert.deepEqual(names([bar]), ["Tokens in", "Tokens out"]);
  assert.deepEqual(names([bar, { ...bar, paid: 0.2 }]), ["Paid"]);
  assert.deepEqual(names([{ ...bar, prompt_tokens: null, completion_tokens: null }]), ["Calls"]);
});
