// The calls that change something: a POST of this page with the header that other sites cannot set.

import type { AboutChange, Done, Problem, ResumeRequest, RunAbout, Started, StartForm, StartRequest } from "../api";
import { SourceError } from "../source/source";

const ROOT = "api/v1";

export const startForm = (): Promise<StartForm> => call("start");
export const start = (request: StartRequest): Promise<Started> => call("start", request);
export const started = (id: string): Promise<Started> => call(`start/${encodeURIComponent(id)}`);
export const stop = (run: string): Promise<Done> => call(`${path(run)}/stop`, {});
export const resume = (run: string, request: ResumeRequest): Promise<Started> => call(`${path(run)}/resume`, request);
export const changeAbout = (run: string, change: Partial<AboutChange>): Promise<RunAbout> =>
  call(`${path(run)}/about`, change);
export const setAside = (run: string): Promise<Done> => call(`${path(run)}/delete`, {});

function path(run: string): string {
  return `runs/${encodeURIComponent(run)}`;
}

/** Asks the server; with a body it is a change. */
export async function call<T>(where: string, body?: unknown): Promise<T> {
  const change = {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Assay-Request": "1" },
    body: JSON.stringify(body),
  };
  let response: Response;
  try {
    response = await fetch(`${ROOT}/${where}`, { credentials: "same-origin", ...(body === undefined ? {} : change) });
  } catch {
    throw new SourceError("", "offline");
  }
  if (response.ok) return (await response.json()) as T;
  if (response.status === 401) throw new SourceError("", "denied");
  throw new SourceError(await reasonOf(response));
}

async function reasonOf(response: Response): Promise<string> {
  try {
    return ((await response.json()) as Problem).error;
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}
