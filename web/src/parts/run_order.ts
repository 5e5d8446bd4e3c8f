// Search and order of the list of runs.

import type { RunCard } from "../api";

export const RUN_COLUMNS = ["state", "name", "job", "system", "started", "questions", "variants", "headline", "cost", "time"] as const;
export type RunColumn = (typeof RUN_COLUMNS)[number];

/** Whether every word of the search occurs in the run's texts. */
export function matchesRun(run: RunCard, search: string): boolean {
  const text = [run.name, run.id, run.job, run.system, run.state, ...run.variants, run.about?.title, ...(run.about?.tags ?? [])].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The runs by a column; "-name" is the other way round; without a column newest first, as they come. */
export function inRunOrder(runs: readonly RunCard[], sort: string): RunCard[] {
  const isDescending = sort.startsWith("-");
  const column = RUN_COLUMNS.find((name) => name === sort.replace(/^-/, ""));
  if (!column) return [...runs];
  return [...runs].sort((a, b) => {
    const left = keyOf(a, column);
    const right = keyOf(b, column);
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    const order = left < right ? -1 : left > right ? 1 : 0;
    return isDescending ? -order : order;
  });
}

function keyOf(run: RunCard, column: RunColumn): string | number | null {
  switch (column) {
    case "state":
      return run.state;
    case "name":
      return run.name.toLowerCase();
    case "job":
      return run.job;
    case "system":
      return run.system;
    case "started":
      return run.started_at;
    case "questions":
      return run.questions;
    case "variants":
      return run.variants.length;
    case "headline":
      return run.headline;
    case "cost":
      return run.paid;
    case "time":
      return run.elapsed_s;
  }
}
