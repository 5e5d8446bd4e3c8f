// All questions of a run under a filter, in a table that never stutters.

import { useEffect, useMemo } from "preact/hooks";
import type { RunView } from "../api";
import { Failure } from "../parts/Failure";
import { FilterBar } from "../parts/FilterBar";
import { ItemTable } from "../parts/ItemTable";
import { type Filter, formatFilter, NO_FILTER, type RunRoute } from "../route";
import { forgetItems, type ItemList, itemList, useItems } from "../state/items";
import { go, replace } from "../state/location";
import { useSettings } from "../state/settings";
import { useSource } from "../state/source";
import { count } from "../text/number";
import { visible } from "../text/visible";
import { fill, plural } from "../words";

export function Questions({ route, run }: { route: RunRoute; run: RunView }) {
  const { words } = useSettings();
  const source = useSource();
  const key = JSON.stringify(formatFilter(route.filter));
  const list = useMemo(() => itemList(source, run.card.id, route.filter), [source, run, key]);
  const state = useItems(list, stateOf);
  useEffect(() => list.show(0, 0), [list]);
  const metric = run.metrics.find(({ name }) => name === (route.filter.metric || run.primary)) ?? run.metrics[0];
  const change = (part: Partial<Filter>): void => replace({ ...route, filter: { ...route.filter, ...part } });
  const open = (item: number, at: number): void =>
    go({ screen: "question", run: run.card.id, item, at, chosen: "", filter: route.filter });
  const again = (): void => {
    forgetItems();
    replace({ ...route, filter: NO_FILTER });
  };
  return (
    <div class="questions">
      <FilterBar run={run} filter={route.filter} onChange={change}>
        <Count list={list} all={run.items} />
      </FilterBar>
      {state === "failed" && list.error ? (
        <Failure error={list.error} again={again} />
      ) : state === "empty" ? (
        <p class="empty">{words.questions.none}</p>
      ) : (
        metric && <ItemTable run={run} metric={metric} list={list} filter={route.filter} onSort={change} onOpen={open} />
      )}
      <p class="note">
        {fill(run.variants.length > 1 ? words.questions.legend : words.questions.legendOne, { baseline: visible(run.baseline || words.run.baseline) })}
      </p>
    </div>
  );
}

function stateOf(list: ItemList): "failed" | "empty" | "rows" {
  return list.error ? "failed" : list.total === 0 ? "empty" : "rows";
}

function Count({ list, all }: { list: ItemList; all: number }) {
  const { language, words } = useSettings();
  useItems(list, ({ total }) => total);
  if (list.total === null)
    return (
      <p class="match-count" role="status">
        {words.questions.counting}
      </p>
    );
  const forms = list.total === all ? words.questions.countAll : words.questions.count;
  const isTotalCounted = list.total !== all && language === "en";
  const form = plural(forms, isTotalCounted ? all : list.total, language);
  return (
    <p class="match-count" role="status">
      {fill(form, { n: count(list.total, language), total: count(all, language) })}
    </p>
  );
}
