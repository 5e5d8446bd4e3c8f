import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { ItemQuery } from "../src/api";
import { NO_FILTER } from "../src/route";
import { send } from "../src/source/call";
import { HttpSource } from "../src/source/http";
import { errorOf, SourceError } from "../src/source/source";

let asked: IncomingMessage;
let status = 200;
let answer = "{}";
const server = createServer((request, response) => {
  asked = request;
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(answer);
});
const real = globalThis.fetch;
const source = new HttpSource();
const { signal } = new AbortController();
const query: ItemQuery = { ...NO_FILTER, offset: 0, limit: 100 };

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // a page has an address of its own, to which those of calls are relative
  globalThis.fetch = (path, given) => real(new URL(path as string, base), given);
});
after(() => {
  globalThis.fetch = real;
  server.closeAllConnections();
  server.close();
});

const reply = (code: number, text: string): void => {
  [status, answer] = [code, text];
};

test("names of runs and questions are one part of an address, whatever is in them", async () => {
  reply(200, "{}");
  await source.item("eval/отчёт 1%", "../q?1#", signal);
  assert.equal(decodeURIComponent(asked.url ?? ""), "/api/v1/runs/eval/отчёт 1%/items/=../q?1#");
  assert.equal((asked.url ?? "").split("/").length, 7);
  await source.text({ run: "r", item: "7", variant: "a/b", field: "passage:1", offset: 40 }, signal);
  assert.equal(asked.url, "/api/v1/runs/r/text/=7/a%2Fb?field=passage%3A1&offset=40");
});

test("a query has only what differs from the default", async () => {
  reply(200, "{}");
  await source.items("r", query, signal);
  assert.equal(asked.url, "/api/v1/runs/r/items?limit=100");
  await source.count("r", { ...query, show: "worse", low: 0, text: "a&b", offset: 200 }, signal);
  assert.equal(asked.url, "/api/v1/runs/r/count?show=worse&low=0&text=a%26b&offset=200&limit=100");
  await source.compare({ base: "a", candidate: "b c", variant: "", candidateVariant: "v", metric: "", maxFailed: 2, margin: 0.03, equivalent: null }, signal);
  assert.equal(asked.url, "/api/v1/compare?base=a&cand=b+c&cand_variant=v&max_failed=2&margin=0.03");
});

test("a change carries the mark of the page and its key", async () => {
  reply(200, "{}");
  Object.assign(globalThis, { localStorage: { getItem: (name: string) => `key of ${name}` } });
  await send("runs/r/stop", { now: true });
  assert.deepEqual([asked.method, asked.headers["x-assay-request"], asked.headers.authorization], ["POST", "1", "Bearer key of assay.key"]);
});

test("an error says what the server says, or its status if the answer is not the server's", async () => {
  reply(404, '{"error": "no run r"}');
  await assert.rejects(source.run("r", signal), { message: "no run r", kind: "problem" });
  reply(502, "<html>");
  await assert.rejects(source.run("r", signal), { message: "502 Bad Gateway", kind: "problem" });
});

test("a refusal asks for the token; a refused change for the key", async () => {
  reply(401, "{}");
  await assert.rejects(source.run("r", signal), { kind: "denied" });
  await assert.rejects(send("runs/r/stop", {}), { kind: "no key" });
  reply(403, "{}");
  await assert.rejects(send("runs/r/stop", {}), { kind: "denied" });
});

test("a call that the page has cancelled is no offline server", async () => {
  await assert.rejects(source.run("r", AbortSignal.abort()), (error) => !(error instanceof SourceError) && errorOf(error).name === "AbortError");
  await new Promise((resolve) => {
    server.closeAllConnections();
    server.close(resolve);
  });
  await assert.rejects(source.run("r", signal), { kind: "offline" });
});
