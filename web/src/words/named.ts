// The words for names of the data: the jobs, the states of a run, how its cases ended, verdicts.

import type { RunTab } from "../route";
import { t, tx } from ".";

type Table = Readonly<Record<string, string>>;

function named(table: Table, name: string): string {
  return Object.hasOwn(table, name) ? (table[name] ?? name) : name;
}

export function jobWord(job: string): string {
  return named({ run: tx("job", "run"), ablation: tx("job", "ablation"), depth: tx("job", "depth"), quality: tx("job", "quality"), review: tx("job", "review"), bench: tx("job", "bench") }, job);
}

/** The name of a system; several systems side by side have one in every language. */
export function systemName(system: string): string {
  return system === "side by side" ? t("side by side") : system;
}

export function stateWord(state: string): string {
  const finished = tx("state", "finished");
  return named(
    {
      complete: finished,
      ended: finished,
      partial: tx("state", "stopped early"),
      running: tx("state", "running"),
      failed: tx("state", "failed"),
      unreadable: tx("state", "unreadable"),
    },
    state,
  );
}

/** How cases ended, after a number of them. */
export function endWord(end: string): string {
  return named(
    {
      scored: t("scored"),
      answered: t("not judged"),
      failed: tx("count", "failed"),
      skipped: t("skipped"),
      unparsed: t("unparsed"),
      spared: t("spared"),
      total: t("total"),
      absent: t("not asked"),
    },
    end,
  );
}

/** What a test says about a difference. */
export function verdictWord(verdict: string): string {
  return named(
    {
      equivalent: t("equivalent"),
      undecided: t("undecided"),
      better: t("better"),
      worse: t("worse"),
      unclear: t("no difference shown"),
      untested: t("no test: see the interval"),
      "too few": t("too few differ"),
      same: t("no question differs"),
      "same, too few": t("no question differs, too few to tell"),
    },
    verdict,
  );
}

/** What a person says about an answer. */
export function labelWord(verdict: string): string {
  return named({ right: t("right"), wrong: t("wrong"), partly: t("partly"), unclear: t("cannot tell") }, verdict);
}

export function tabWord(tab: RunTab): string {
  return named(
    {
      overview: t("Overview"),
      charts: t("Charts"),
      tables: t("Tables"),
      questions: t("Questions"),
      judges: t("Judges"),
      cost: t("Cost"),
      setup: t("Set-up"),
      labels: t("Labels"),
    },
    tab,
  );
}
