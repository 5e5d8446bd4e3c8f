// The calls of reviewing drafts.

import type { DraftBoard, DraftPlace, DraftTask, DraftVersion, NewDecision } from "../api";
import { ask, send } from "../source/call";

const path = (name: string, rest: string): string => `drafts/${encodeURIComponent(name)}/${rest}`;

export const board = (signal: AbortSignal): Promise<DraftBoard> => ask("drafts", signal);

export function next(name: string, after: number | null, signal?: AbortSignal): Promise<DraftPlace> {
  return ask(path(name, after === null ? "next" : `next?after=${after}`), signal);
}

export const task = (name: string, item: number, signal: AbortSignal): Promise<DraftTask> => ask(path(name, `items/${item}`), signal);
export const decide = (name: string, decision: NewDecision): Promise<DraftPlace> => send(path(name, "decisions"), decision);
export const writeVersion = (name: string): Promise<DraftVersion> => send(path(name, "version"), {});
