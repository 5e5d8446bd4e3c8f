// The server's JSON interface.

import type { CompareView, ItemCount, ItemPage, ItemQuery, ItemView, Problem, RunView, TextPart, Workspace } from "../api";
import { formatFilter } from "../route";
import { type CompareCall, type Source, SourceError, type TextCall } from "./source";

const ROOT = "api/v1";

export class HttpSource implements Source {
  readonly hasRows = true;
  readonly canCompare = true;

  prefix(): string {
    return "";
  }

  workspace(signal: AbortSignal): Promise<Workspace> {
    return get("workspace", signal);
  }

  run(run: string, signal: AbortSignal): Promise<RunView> {
    return get(`runs/${encodeURIComponent(run)}`, signal);
  }

  items(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemPage> {
    return get(`runs/${encodeURIComponent(run)}/items?${parameters(query)}`, signal);
  }

  count(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemCount> {
    return get(`runs/${encodeURIComponent(run)}/count?${parameters(query)}`, signal);
  }

  item(run: string, item: string, signal: AbortSignal): Promise<ItemView> {
    return get(`runs/${encodeURIComponent(run)}/items/${itemPath(item)}`, signal);
  }

  row(run: string, item: string, variant: string, offset: number, signal: AbortSignal): Promise<TextPart> {
    const place = `${encodeURIComponent(run)}/rows/${itemPath(item)}/${encodeURIComponent(variant)}`;
    return get(`runs/${place}?offset=${offset}`, signal);
  }

  text({ run, item, variant, field, offset }: TextCall, signal: AbortSignal): Promise<TextPart> {
    const place = `${encodeURIComponent(run)}/text/${itemPath(item)}/${encodeURIComponent(variant)}`;
    return get(`runs/${place}?field=${encodeURIComponent(field)}&offset=${offset}`, signal);
  }

  compare(call: CompareCall, signal: AbortSignal): Promise<CompareView> {
    const words = new URLSearchParams({ base: call.base, cand: call.candidate });
    if (call.variant) words.set("variant", call.variant);
    if (call.candidateVariant) words.set("cand_variant", call.candidateVariant);
    if (call.metric) words.set("metric", call.metric);
    return get(`compare?${words.toString()}`, signal);
  }
}

/** An item by its id; "=" tells it from a number, and from "..", which an address would not keep. */
function itemPath(id: string): string {
  return `=${encodeURIComponent(id)}`;
}

function parameters(query: ItemQuery): string {
  const { offset, limit, ...filter } = query;
  const words = new URLSearchParams(formatFilter(filter));
  if (offset) words.set("offset", String(offset));
  words.set("limit", String(limit));
  return words.toString();
}

async function get<T>(path: string, signal: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${ROOT}/${path}`, { signal, credentials: "same-origin" });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new SourceError("", "offline");
  }
  if (response.ok) return (await response.json()) as T;
  if (response.status === 401 || response.status === 403) throw new SourceError("", "denied");
  throw new SourceError(await problemOf(response));
}

async function problemOf(response: Response): Promise<string> {
  try {
    return ((await response.json()) as Problem).error;
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}
