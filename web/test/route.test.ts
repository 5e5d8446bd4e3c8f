import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRoute, NO_FILTER, parseRoute, placeOf, questionAddresses, type Route } from "../src/route";

const routes: Route[] = [
  { screen: "runs", search: "hy & de", sort: "-name" },
  { screen: "run", run: "eval/runs/отчёт 100%", tab: "overview", chart: "", metric: "gold_mrr", group: "language", filter: NO_FILTER },
  { screen: "run", run: "a", tab: "charts", chart: "differences", metric: "", group: "", filter: NO_FILTER },
  {
    screen: "question",
    run: "实验/一",
    item: "q/12 第一?#::depth=50%",
    at: 3,
    chosen: "full",
    filter: { ...NO_FILTER, show: "worse", text: "42 000 + x?", regex: true, low: 0, high: 0.5, tag: "4000\n25%" },
  },
  { screen: "drafts", name: "法/a.draft", item: 3 },
  { screen: "drafts", name: "", item: null },
  { screen: "label", run: "a/b", item: 7, isBlind: true, pair: ["v 1", "v&2"] },
  { screen: "label", run: "a", item: null, isBlind: false, pair: [] },
  { screen: "configure", experiment: "hy de" },
  { screen: "search", text: "что? & где#", source: "a.md", path: "questions/q.jsonl", question: "q::1" },
  { screen: "compare", base: "a/b", candidates: ["c", "d&e"], variant: "v", candidateVariant: "", metric: "m", maxFailed: 2, margin: 0.03, equivalent: null },
];

test("every view has an address that leads back to it", () => {
  for (const route of routes) {
    const again = parseRoute(formatRoute(route));
    if (route.screen === "run") assert.deepEqual({ ...again, filter: NO_FILTER }, route);
    else assert.deepEqual(again, route);
  }
});

test("an address of an earlier version, with the number of a question, still opens one", () => {
  const route = parseRoute("#/run/a/question/12?at=3");
  assert.deepEqual(route.screen === "question" && [route.item, route.at], ["12", 3]);
});

test("a filter of questions keeps what was chosen and leaves out the defaults", () => {
  const filter = { ...NO_FILTER, show: "different", sort: "difference", descending: true };
  const address = formatRoute({ screen: "run", run: "r", tab: "questions", chart: "", metric: "", group: "", filter });
  assert.equal(address, "#/run/r/questions?show=different&sort=difference&descending=true");
  const again = parseRoute(address);
  assert.deepEqual(again.screen === "run" && again.filter, filter);
});

test("the quick addresses of a table are those of the page", () => {
  for (const filter of [NO_FILTER, { ...NO_FILTER, show: "worse", text: "a&b" }]) {
    const address = questionAddresses("a/b", filter)("q 1", 3);
    assert.equal(address, formatRoute({ screen: "question", run: "a/b", item: "q 1", at: 3, chosen: "", filter }));
  }
});

test("a question without a place in a list stands among all questions by id", () => {
  const route = parseRoute("#/run/a/question/q?show=worse");
  assert.ok(route.screen === "question");
  assert.deepEqual(placeOf(route, 12), { at: 12, filter: { ...NO_FILTER, sort: "id" } });
  assert.deepEqual(placeOf({ ...route, at: 3 }, 12), { at: 3, filter: route.filter });
});

test("numbers of an address that are none are left out", () => {
  const route = parseRoute("#/run/a/questions?low=&high=1e400&descending=1");
  assert.ok(route.screen === "run");
  assert.deepEqual(route.filter, NO_FILTER);
  const compare = parseRoute("#/compare?base=a&max_failed=-3");
  assert.ok(compare.screen === "compare");
  assert.equal(compare.maxFailed, 0);
  const label = parseRoute("#/run/a/label?item=x&pair=one");
  assert.ok(label.screen === "label");
  assert.deepEqual([label.item, label.pair], [null, []]);
});

test("addresses that name nothing are lost, not an error", () => {
  for (const hash of ["#/nowhere", "#/run", "#/run/a/unknown", "#/compare", "#/run/%E0%A4%A/nothing"])
    assert.equal(parseRoute(hash).screen, "lost");
  assert.equal(parseRoute("").screen, "runs");
  assert.equal(parseRoute("#/run/a").screen, "run");
});
