// Calls of the server beyond those of a source: only a served page has them.

import type { Problem, Said } from "../api";
import { changeKey } from "./key";
import { SourceError } from "./source";

const ROOT = "api/v1";

/** Asks the server for something. */
export function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call(path, { signal: signal ?? null });
}

/** Asks the server to change something. */
export function send<T>(path: string, body: unknown): Promise<T> {
  return call(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Assay-Request": "1",
      Authorization: `Bearer ${changeKey()}`,
    },
    body: JSON.stringify(body),
  });
}

async function call<T>(path: string, given: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${ROOT}/${path}`, { ...given, credentials: "same-origin" });
  } catch (error) {
    if (given.signal?.aborted) throw error;
    throw new SourceError("", "offline");
  }
  if (response.ok) return (await response.json()) as T;
  if (response.status === 401 && given.method === "POST") throw new SourceError("", "no key");
  if (response.status === 401 || response.status === 403) throw new SourceError("", "denied");
  let problem: Said = `${response.status} ${response.statusText}`;
  try {
    problem = ((await response.json()) as Problem).error;
  } catch {
    // not an answer of ours: the status must do
  }
  throw new SourceError(problem);
}
