// The calls that start, stop and describe runs.

import type { AboutChange, Done, ResumeRequest, Resumption, RunAbout, Started, StartForm, StartRequest } from "../api";
import { ask, send } from "../source/call";

export const startForm = (): Promise<StartForm> => ask("start");
export const start = (request: StartRequest): Promise<Started> => send("start", request);
export const started = (id: string): Promise<Started> => ask(`start/${encodeURIComponent(id)}`);
export const stop = (run: string): Promise<Done> => send(`${path(run)}/stop`, {});
export const resumption = (run: string): Promise<Resumption> => ask(`${path(run)}/resume`);
export const resume = (run: string, request: ResumeRequest): Promise<Started> => send(`${path(run)}/resume`, request);
export const changeAbout = (run: string, change: Partial<AboutChange>): Promise<RunAbout> =>
  send(`${path(run)}/about`, change);
export const setAside = (run: string): Promise<Done> => send(`${path(run)}/delete`, {});

function path(run: string): string {
  return `runs/${encodeURIComponent(run)}`;
}
