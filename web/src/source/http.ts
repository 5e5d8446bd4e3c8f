// The server's JSON interface.

import type { CompareView, GroupView, ItemCount, ItemPage, ItemQuery, ItemView, MapView, RunView, TextPart, Workspace } from "../api";
import { formatFilter } from "../route";
import { ask } from "./call";
import { type CompareCall, type Source, SourceError, type TextCall } from "./source";

export class HttpSource implements Source {
  readonly hasRows = true;
  readonly canCompare = true;
  readonly hasMap = false;

  prefix(): string {
    return "";
  }

  workspace(signal: AbortSignal): Promise<Workspace> {
    return ask("workspace", signal);
  }

  run(run: string, signal: AbortSignal): Promise<RunView> {
    return ask(`runs/${encodeURIComponent(run)}`, signal);
  }

  groups(run: string, field: string, metric: string, signal: AbortSignal): Promise<GroupView> {
    return ask(`runs/${encodeURIComponent(run)}/groups?${new URLSearchParams({ field, metric }).toString()}`, signal);
  }

  items(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemPage> {
    return ask(`runs/${encodeURIComponent(run)}/items?${parameters(query)}`, signal);
  }

  count(run: string, query: ItemQuery, signal: AbortSignal): Promise<ItemCount> {
    return ask(`runs/${encodeURIComponent(run)}/count?${parameters(query)}`, signal);
  }

  item(run: string, item: string, signal: AbortSignal): Promise<ItemView> {
    return ask(`runs/${encodeURIComponent(run)}/items/${itemPath(item)}`, signal);
  }

  row(run: string, item: string, variant: string, offset: number, signal: AbortSignal): Promise<TextPart> {
    const place = `${encodeURIComponent(run)}/rows/${itemPath(item)}/${encodeURIComponent(variant)}`;
    return ask(`runs/${place}?offset=${offset}`, signal);
  }

  text({ run, item, variant, field, offset }: TextCall, signal: AbortSignal): Promise<TextPart> {
    const place = `${encodeURIComponent(run)}/text/${itemPath(item)}/${encodeURIComponent(variant)}`;
    return ask(`runs/${place}?field=${encodeURIComponent(field)}&offset=${offset}`, signal);
  }

  compare(call: CompareCall, signal: AbortSignal): Promise<CompareView> {
    const words = new URLSearchParams({ base: call.base, cand: call.candidate });
    if (call.variant) words.set("variant", call.variant);
    if (call.candidateVariant) words.set("cand_variant", call.candidateVariant);
    if (call.metric) words.set("metric", call.metric);
    if (call.maxFailed) words.set("max_failed", String(call.maxFailed));
    if (call.margin) words.set("margin", String(call.margin));
    if (call.equivalent) words.set("equivalent", String(call.equivalent));
    return ask(`compare?${words.toString()}`, signal);
  }

  map(): Promise<MapView> {
    return Promise.reject(new SourceError("", "lost"));
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
