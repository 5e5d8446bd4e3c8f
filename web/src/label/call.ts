// The calls of labelling.

import type { LabelBoard, LabelPlace, LabelSaved, LabelTask, NewLabel, NewPreference } from "../api";
import type { LabelRoute } from "../route";
import { ask, send } from "../source/call";

function path(run: string, rest: string): string {
  return `runs/${encodeURIComponent(run)}/${rest}`;
}

function parameters(route: LabelRoute, labeller: string): URLSearchParams {
  const words = new URLSearchParams({ labeller });
  if (route.isBlind) words.set("blind", "true");
  route.pair.forEach((name) => words.append("pair", name));
  return words;
}

export function board(run: string, signal: AbortSignal): Promise<LabelBoard> {
  return ask(path(run, "labels"), signal);
}

export function next(route: LabelRoute, labeller: string, after: number | null, signal?: AbortSignal): Promise<LabelPlace> {
  const words = parameters(route, labeller);
  if (after !== null) words.set("after", String(after));
  return ask(path(route.run, `labels/next?${words.toString()}`), signal);
}

export function task(route: LabelRoute, item: number, labeller: string, signal: AbortSignal): Promise<LabelTask> {
  return ask(path(route.run, `labels/items/${item}?${parameters(route, labeller).toString()}`), signal);
}

export function saveLabel(run: string, label: NewLabel): Promise<LabelSaved> {
  return send(path(run, "labels"), label);
}

export function savePreference(run: string, preference: NewPreference): Promise<LabelSaved> {
  return send(path(run, "preferences"), preference);
}
