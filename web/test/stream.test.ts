import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { LiveRun } from "../src/api";
import { listen, type LiveState, NOTHING } from "../src/live/stream";

/** The EventSource of a browser, which Node has not; the test is the server. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 1;
  onerror: (() => void) | null = null;

  constructor(readonly address: string) {
    super();
    Stream.opened.push(this);
  }

  tell(name: string, data: object): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.onerror?.();
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

const first = (): Stream => Stream.opened[0] as Stream;
const run = (name: string, is_running = true): Partial<LiveRun> => ({ run: name, is_running });
let state: LiveState;
let asked: number;
let leave: () => void;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Stream.opened = [];
  Object.assign(globalThis, { EventSource: Stream });
  [state, asked] = [NOTHING, 0];
  leave = listen(
    (next) => (state = next(state)),
    () => asked++,
  );
});
afterEach(() => {
  leave();
  mock.timers.reset();
});

test("the list of runs is asked for again when a run begins or ends, not with every event", () => {
  first().tell("runs", { runs: ["a"] });
  assert.equal(asked, 1);
  first().tell("runs", { runs: ["a"] });
  first().tell("progress", run("a"));
  assert.equal(asked, 1);
  first().tell("runs", { runs: ["a", "b"] });
  assert.equal(asked, 2);
  first().tell("progress", run("a", false));
  assert.equal(asked, 3);
  assert.deepEqual([...state.runs.keys()], []);
});

test("where no run goes on, the list is asked for at each word of the server: a short run may have come and gone", () => {
  first().tell("runs", { runs: [] });
  first().tell("runs", { runs: [] });
  assert.equal(asked, 2);
});

test("while the browser connects again by itself, the page only says that the server is away", () => {
  first().tell("progress", run("a"));
  first().fail(0);
  assert.deepEqual([state.isConnected, state.runs.size], [false, 1]);
  mock.timers.tick(60_000);
  assert.equal(Stream.opened.length, 1);
  first().tell("progress", run("a"));
  assert.equal(state.isConnected, true);
});

test("a stream that the browser gave up is opened again after a moment, once", () => {
  first().fail(Stream.CLOSED);
  first().fail(Stream.CLOSED);
  assert.equal(Stream.opened.length, 1);
  mock.timers.tick(5000);
  assert.deepEqual(Stream.opened.map(({ address }) => address), ["api/v1/events", "api/v1/events"]);
});

test("who does not listen any more opens nothing", () => {
  first().fail(Stream.CLOSED);
  leave();
  mock.timers.tick(60_000);
  assert.equal(Stream.opened.length, 1);
  assert.equal(first().readyState, Stream.CLOSED);
});
