// All questions of a run under a filter, in a table that never stutters.

import { useEffect, useMemo } from "preact/hooks";
import type { RunView } from "../api";
import { Failure } from "../parts/Failure";
import { FilterBar } from "../parts/FilterBar";
import { ItemTable } from "../parts/ItemTable";
import { type Filter, NO_FILTER, parseRoute, type RunRoute } from "../route";
import { forgetItems, type ItemList, itemList, useItems } from "../state/items";
import { go, replace } from "../state/location";
import { useSettings } from "../state/settings";
import { useSource } from "../state/source";
import { count } from "../text/number";
import { visible } from "../text/visible";
import { t, tn } from "../words";

export function Questions({ route, run }: { route: RunRoute; run: RunView }) {
  const source = useSource();
  const list = useMemo(() => itemList(source, run.card.id, route.filter), [source, run, route.filter]);
  const state = useItems(list, stateOf);
  useEffect(() => list.show(0, 0), [list]);
  const metric = run.metrics.find(({ name }) => name === (route.filter.metric || run.primary)) ?? run.metrics[0];
  // a part that was typed comes a moment later; it is added to what the address has then
  const change = (part: Partial<Filter>): void => {
    const now = parseRoute(location.hash);
    if (now.screen === "run" && now.tab === "questions") replace({ ...now, filter: { ...now.filter, ...part } });
  };
  const open = (item: string, at: number): void =>
    go({ screen: "question", run: run.card.id, item, at, chosen: "", filter: route.filter });
  const again = (): void => {
    forgetItems();
    replace({ ...route, filter: NO_FILTER });
  };
  return (
    <div class="questions">
      <FilterBar run={run} filter={route.filter} onChange={change}>
        {state !== "failed" && <Count list={list} run={run} />}
      </FilterBar>
      {state === "failed" && list.error ? (
        <Failure error={list.error} again={again} />
      ) : state === "empty" ? (
        <p class="empty">{t("No question matches these filters.")}</p>
      ) : (
        metric && <ItemTable run={run} metric={metric} list={list} filter={route.filter} onSort={change} onOpen={open} />
      )}
      <p class="note">
        {run.variants.length > 1 ? t("▲ better ▼ worse = same as {baseline} · ∅ abstained · ✗ failed", { baseline: visible(run.baseline || t("baseline")) }) : t("∅ abstained · ✗ failed · » skipped · ? unparsed")}
        {run.unsure > 0 && ` · ${t("~ unsure")}`}
      </p>
    </div>
  );
}

function stateOf(list: ItemList): "failed" | "empty" | "rows" {
  return list.error ? "failed" : list.total === 0 ? "empty" : "rows";
}

function Count({ list, run }: { list: ItemList; run: RunView }) {
  const { language } = useSettings();
  useItems(list, ({ total }) => total);
  if (list.total === null)
    return (
      <p class="match-count" role="status" aria-busy="true">
        {t("counting…")}
      </p>
    );
  const all = run.items;
  const planned = run.card.questions ?? all;
  const isCases = all > planned;
  const found = { n: count(list.total, language), total: count(all, language) };
  const counted = isCases
    ? list.total === all
      ? tn("{n} case", "{n} cases", all)
      : tn("{n} of {total} case", "{n} of {total} cases", all, found)
    : list.total === all
      ? tn("{n} question", "{n} questions", all)
      : tn("{n} of {total} question", "{n} of {total} questions", all, found);
  return (
    <p class="match-count" role="status">
      {counted}
      {all < planned && <small class="faint"> {t("asked so far, {n} planned", { n: count(planned, language) })}</small>}
    </p>
  );
}
