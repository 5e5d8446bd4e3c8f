import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRoute, NO_FILTER, parseRoute, type Route } from "../src/route";

const routes: Route[] = [
  { screen: "runs", search: "hy & de", sort: "-name" },
  { screen: "run", run: "eval/runs/отчёт 100%", tab: "overview", chart: "", metric: "gold_mrr", filter: NO_FILTER },
  { screen: "run", run: "a", tab: "charts", chart: "differences", metric: "", filter: NO_FILTER },
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
  { screen: "compare", base: "a/b", candidates: ["c", "d&e"], variant: "v", candidateVariant: "", metric: "m", maxFailed: 2 },
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
  const address = formatRoute({ screen: "run", run: "r", tab: "questions", chart: "", metric: "", filter });
  assert.equal(address, "#/run/r/questions?show=different&sort=difference&descending=true");
  const again = parseRoute(address);
  assert.deepEqual(again.screen === "run" && again.filter, filter);
});

test("addresses that name nothing are lost, not an error", () => {
  for (const hash of ["#/nowhere", "#/run", "#/run/a/unknown", "#/compare", "#/run/%E0%A4%A/nothing"])
    assert.equal(parseRoute(hash).screen, "lost");
  assert.equal(parseRoute("").screen, "runs");
  assert.equal(parseRoute("#/run/a").screen, "run");
});
