import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveRun, StartJob } from "../src/api";
import { NOTHING, withLive, withProgress } from "../src/live/stream";
import { formatRoute, parseRoute } from "../src/route";
import { commandOf } from "../src/run_control/command";

const run = (name: string, is_running = true): LiveRun => ({ run: name, is_running }) as LiveRun;

test("a run is live from its first event until it ends", () => {
  let state = withProgress(withProgress(NOTHING, run("a")), run("b"));
  assert.deepEqual([...state.runs.keys()], ["a", "b"]);
  assert.equal(state.isConnected, true);
  state = withProgress(state, run("a", false));
  assert.deepEqual([...state.runs.keys()], ["b"]);
});

test("a page that comes back forgets runs that have ended meanwhile", () => {
  const state = withLive(withProgress(withProgress(NOTHING, run("a")), run("b")), ["b", "c"]);
  assert.deepEqual([...state.runs.keys()], ["b"]);
});

const job = {
  job: "bench",
  fields: [
    { name: "sample", kind: "switch" },
    { name: "path", kind: "file" },
    { name: "max_cost", kind: "number" },
    { name: "name", kind: "text" },
  ],
} as unknown as StartJob;

test("the command is what a person would type", () => {
  assert.equal(commandOf(job, { sample: true, max_cost: "1.5", name: "" }), "assay bench run --sample --max-cost=1.5");
  assert.equal(commandOf(job, { sample: false, path: "it's here.json" }), `assay bench run 'it'"'"'s here.json'`);
  assert.equal(commandOf({ ...job, job: "ablation" }, {}), "assay ablate");
});

test("the form has an address", () => {
  for (const route of [
    { screen: "start", job: "", experiment: "" },
    { screen: "start", job: "ablation", experiment: "a b" },
  ] as const)
    assert.deepEqual(parseRoute(formatRoute(route)), route);
});
