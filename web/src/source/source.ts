// Where the page gets its data from: the server, or the file itself. Both answer the same calls.

import type {
  CompareView,
  GroupView,
  ItemCount,
  ItemPage,
  ItemQuery,
  ItemView,
  MapView,
  RunView,
  Said,
  TextPart,
  Workspace,
} from "../api";
import { show } from "../words";

export interface CompareCall {
  readonly base: string;
  readonly candidate: string;
  readonly variant: string;
  readonly candidateVariant: string;
  readonly metric: string;
  readonly maxFailed: number;
  readonly margin: number | null;
  readonly equivalent: number | null;
}

export interface TextCall {
  readonly run: string;
  /** The id of the question. */
  readonly item: string;
  readonly variant: string;
  readonly field: string;
  readonly offset: number;
}

export interface Source {
  /** Whether recorded rows and the rest of cut texts can be had. */
  readonly hasRows: boolean;
  /** Whether runs can be compared. */
  readonly canCompare: boolean;
  /** Whether there are maps of depth results, which a file of them opens at. */
  readonly hasMap: boolean;
  /** The file that shows a run, if it is another one; its addresses follow this. */
  prefix(run: string): string;
  workspace(signal: AbortSignal): Promise<Workspace>;
  run(run: string, signal: AbortSignal): Promise<RunView>;
  /** The groups of a field; a saved page has those of the primary metric. */
  groups(run: string, field: string, metric: string, signal: AbortSignal): Promise<GroupView>;
  items(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemPage>;
  count(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemCount>;
  item(run: string, item: string, signal: AbortSignal): Promise<ItemView>;
  /** The line of a recorded row from character `offset` on. */
  row(run: string, item: string, variant: string, offset: number, signal: AbortSignal): Promise<TextPart>;
  /** The rest of a text that was cut because it is very long. */
  text(part: TextCall, signal: AbortSignal): Promise<TextPart>;
  compare(call: CompareCall, signal: AbortSignal): Promise<CompareView>;
  map(): Promise<MapView>;
}

/** Why there is no answer; `kind` says which words the page adds. */
export class SourceError extends Error {
  constructor(
    readonly said: Said,
    readonly kind: "problem" | "offline" | "denied" | "no key" | "unpacked" | "broken" | "static" | "regex" | "no row" | "lost" | "slow regex" | "no worker" = "problem",
  ) {
    super(show(said));
    this.name = "SourceError";
  }
}

/** What was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
