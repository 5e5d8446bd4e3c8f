// The data inside a file, as EMBEDDED.md describes it.

import type { CellStatus, PassageView, Said, StageView, VerdictView, Workspace } from "../api";

export interface Head {
  readonly format: number;
  readonly workspace: Workspace;
  readonly runs: readonly RunEntry[];
  /** The block of the maps, in a file of maps. */
  readonly map?: number;
  readonly compares: readonly { readonly base: string; readonly cand: string; readonly view: number }[];
}

export interface RunEntry {
  readonly id: string;
  /** The file of this run, beside this one; the fields below are absent then. */
  readonly href?: string;
  readonly view: number;
  /** By field a block with the groups of the primary metric. */
  readonly groups?: Readonly<Record<string, number>>;
  readonly items: number;
  readonly answers: number;
  readonly texts: number;
  readonly details: readonly number[];
  readonly per: number;
}

export interface Items {
  readonly ids: readonly string[];
  readonly questions: readonly string[];
  readonly sources: readonly string[];
  readonly source: readonly number[];
  readonly tags: readonly (readonly string[])[];
  readonly tag: readonly number[];
  readonly order: readonly number[];
  readonly has_gold: readonly (0 | 1)[];
  readonly statuses: readonly CellStatus[];
  readonly status: readonly (readonly number[])[];
  readonly abstained: readonly (readonly (0 | 1 | null)[])[];
  /** By variant and item: 1 if a check is unsure of a score. */
  readonly unsure?: readonly (readonly (0 | 1)[])[];
  /** By judge, variant and item: 1 people say the opposite, 2 another judge does, 4 unreadable. */
  readonly judged?: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly values: Readonly<Record<string, readonly (readonly (number | null)[])[]>>;
}

export type Answers = readonly (readonly (string | null)[])[];

export interface Texts {
  readonly passages: readonly string[];
  readonly reasons: readonly Said[];
  readonly titles: Readonly<Record<string, Said>>;
}

export interface DetailAnswer {
  readonly error: string | null;
  readonly passages: readonly (Omit<PassageView, "text"> & { readonly text: number | null })[] | null;
  readonly stages: readonly StageView[];
  readonly scores: readonly (readonly [string, string, number, number?])[];
  readonly elapsed_s: number | null;
  readonly is_first_in_flight: boolean;
  readonly cost: number | null;
  readonly tokens: readonly [number, number] | null;
  readonly attempts: number | null;
  readonly is_cut: boolean;
  readonly verdicts?: readonly VerdictView[];
}

export interface Detail {
  readonly expected: readonly (readonly [Said, Said])[];
  readonly gold: readonly { readonly id: string; readonly text: number | null }[];
  readonly is_cut: boolean;
  readonly answers: readonly DetailAnswer[];
}
