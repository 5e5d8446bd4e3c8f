import assert from "node:assert/strict";
import { test } from "node:test";
import type { ItemQuery, MetricInfo, RunView, Workspace } from "../src/api";
import { EmbeddedSource } from "../src/source/embedded";
import type { Answers, Detail, Head, Items, Texts } from "../src/source/head";
import { NO_FILTER } from "../src/route";
import { checked, type Search } from "../src/source/regex";
import { SourceError } from "../src/source/source";
import { show } from "../src/words";

const text = (en: string) => ({ en, zh: en, ru: en });
const items: Items = {
  ids: ["a", "b", "c", "d"],
  questions: ["Who pays?", "何时付款？", "Когда платят?", "Unknown"],
  sources: ["en.md", "zh.md"],
  source: [0, 1, 0, -1],
  tags: [["easy", "4000"], ["hard"]],
  tag: [0, 1, -1, 0],
  order: [2, 0, 1, 3],
  has_gold: [1, 1, 1, 0],
  statuses: ["scored", "failed"],
  status: [[0, 0, 0, 0], [0, 0, 1, 0]],
  abstained: [[0, 1, 0, null], [0, 0, 0, null]],
  unsure: [[0, 0, 1, 0], [0, 0, 0, 0]],
  judged: { one: [[0, 3, 0, 0], [0, 2, 4, 0]], two: [[0, 2, 0, 1], [0, 2, 0, 0]] },
  values: { recall: [[1, 0.5, 0.2, null], [0.5, 1, null, null]], seconds: [[1, 1, 2, 2], [2, 0.5, 1, 2]] },
};
const answers: Answers = [["The owner", "三十日内", "Никогда", null], ["The tenant", "六十日内", null, ""]];
const texts: Texts = { passages: ["The owner pays."], reasons: [text("found")], titles: { recall: text("Recall") } };
const empty = { error: null, passages: null, stages: [], scores: [], elapsed_s: null, is_first_in_flight: false, cost: null, tokens: null, attempts: null, is_cut: false };
const details: Detail[] = items.ids.map((id) => ({
  expected: [[text("answer"), id]],
  gold: [],
  is_cut: false,
  answers: [
    { ...empty, passages: [{ id: "p", number: 1, text: 0, page: 1, score: null, rank: 1, is_gold: true, is_cited: true, spans: [[0, 3]], is_cut: false }], scores: [["recall", "1", 0], ["other", "–", -1]] },
    empty,
  ],
}));
const metric = (name: string, higher: boolean) => ({ name, higher_is_better: higher }) as MetricInfo;
const run = {
  primary: "recall",
  baseline: "base",
  metrics: [metric("recall", true), metric("seconds", false)],
  variants: [{ name: "base" }, { name: "new" }],
} as unknown as RunView;
const head: Head = {
  format: 1,
  workspace: {} as Workspace,
  runs: [{ id: "r", view: 0, items: 1, answers: 2, texts: 3, details: [4, 5], per: 2 }],
  compares: [],
};
const blocks: unknown[] = [run, items, answers, texts, details.slice(0, 2), details.slice(2)];
// a worker of the browser tries expressions there; here they are tried at once
const search: Search = (pattern, lists) => Promise.resolve(lists.map((list) => list.some((each) => checked(pattern).test(each))));
const source = new EmbeddedSource(head, { get: <T>(block: number) => Promise.resolve(blocks[block] as T) }, search);
const signal = new AbortController().signal;
const query = (part: Partial<ItemQuery>): ItemQuery => ({ ...NO_FILTER, offset: 0, limit: 100, ...part });
const ids = async (part: Partial<ItemQuery>): Promise<string> =>
  (await source.items("r", query(part), signal)).rows.map(({ id }) => id).join("");

test("items come in the order of the questions, page by page, with marks against the baseline", async () => {
  assert.equal(await ids({}), "cabd");
  const page = await source.items("r", query({ offset: 1, limit: 2 }), signal);
  assert.deepEqual([page.rows.map(({ id }) => id), page.total, page.is_last], [["a", "b"], 4, false]);
  assert.deepEqual(page.rows[0]?.cells, [
    { status: "scored", value: 1, mark: "", is_abstained: false, is_unsure: false },
    { status: "scored", value: 0.5, mark: "worse", is_abstained: false, is_unsure: false },
  ]);
});

test("every filter in plain words", async () => {
  assert.equal(await ids({ show: "different" }), "ab");
  assert.equal(await ids({ show: "worse" }), "a");
  assert.equal(await ids({ show: "better" }), "b");
  assert.equal(await ids({ show: "failed" }), "c");
  assert.equal(await ids({ show: "failed", variant: "base" }), "");
  assert.equal(await ids({ show: "abstained" }), "b");
  assert.equal(await ids({ show: "unsure" }), "c");
  assert.equal(await ids({ show: "unsure", variant: "new" }), "");
  assert.equal(await ids({ show: "without_gold" }), "d");
  assert.equal(await ids({ show: "against_people" }), "bd");
  assert.equal(await ids({ show: "against_people", judge: "one" }), "b");
  assert.equal(await ids({ show: "against_people", variant: "new" }), "");
  assert.equal(await ids({ show: "against_judges", variant: "new" }), "b");
  assert.equal(await ids({ show: "judge_unparsed" }), "c");
  assert.equal(await ids({ source: "zh.md" }), "b");
  assert.equal(await ids({ tag: "easy" }), "ad");
  assert.equal(await ids({ tag: "easy\n4000" }), "ad");
  assert.equal(await ids({ tag: "easy\nhard" }), "");
  assert.equal(await ids({ low: 0.4, high: 0.6 }), "ab");
  assert.equal(await ids({ low: 0.4, high: 0.6, variant: "new" }), "a");
});

test("a metric that is better when lower turns the marks round", async () => {
  assert.equal(await ids({ show: "worse", metric: "seconds" }), "a");
  assert.equal(await ids({ sort: "difference", metric: "seconds" }), "adbc");
});

test("searching looks at questions and answers without regard to case, as text or as a pattern", async () => {
  assert.equal(await ids({ text: "OWNER" }), "a");
  assert.equal(await ids({ text: "十日" }), "b");
  assert.equal(await ids({ text: "когда" }), "c");
  assert.equal(await ids({ text: "^the (owner|tenant)$", regex: true }), "a");
  assert.equal((await source.count("r", query({ text: "o" }), signal)).total, 2);
  await assert.rejects(source.items("r", query({ text: "(", regex: true }), signal), (error) => error instanceof SourceError && error.kind === "regex");
});

test("sorting puts items without a value last in both directions", async () => {
  assert.equal(await ids({ sort: "difference" }), "abcd");
  assert.equal(await ids({ sort: "new" }), "abcd");
  assert.equal(await ids({ sort: "new", descending: true }), "bacd");
  assert.equal(await ids({ sort: "id", descending: true }), "dcba");
  assert.equal(await ids({ descending: true }), "dbac");
});

test("a question is put together from its blocks", async () => {
  const item = await source.item("r", "a");
  assert.deepEqual([item.id, item.source, item.tags], ["a", "en.md", ["easy", "4000"]]);
  assert.equal(item.answers[0]?.passages?.[0]?.text, "The owner pays.");
  assert.deepEqual(item.answers[0].scores.map(({ title, reason }) => [show(title), show(reason)]), [["Recall", "found"], ["other", ""]]);
  assert.deepEqual([item.answers[1]?.answer, item.answers[1]?.mark], ["The tenant", "worse"]);
  assert.equal((await source.item("r", "3")).expected[0]?.[1], "d");
});

test("a question that is not there is lost", async () => {
  await assert.rejects(source.item("r", "zzz"), (error) => error instanceof SourceError && error.kind === "lost");
  assert.deepEqual([source.hasRows, source.canCompare], [false, false]);
});

test("what a file does not have says so", async () => {
  await assert.rejects(source.compare({ base: "r", candidate: "x", variant: "", candidateVariant: "", metric: "", maxFailed: 0, margin: null, equivalent: null }), SourceError);
  await assert.rejects(source.row(), SourceError);
  await assert.rejects(async () => source.run("unknown"), SourceError);
});
