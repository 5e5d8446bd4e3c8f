// All runs of the workspace: search, sort, and choose two or more to compare.

import { useEffect, useRef, useState } from "preact/hooks";
import type { RunCard, Workspace } from "../api";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { NoRuns } from "../parts/NoRuns";
import { RunTable } from "../parts/RunTable";
import { inRunOrder, matchesRun } from "../parts/run_order";
import { formatRoute, runAddress, type RunsRoute } from "../route";
import { useKeys } from "../state/keys";
import type { Loaded } from "../state/load";
import { go, replace } from "../state/location";
import { useSettings } from "../state/settings";
import { useSource } from "../state/source";
import { count } from "../text/number";
import { t, tn } from "../words";

const FIRST = 200;
const CONFIGURE = formatRoute({ screen: "configure", experiment: "" });
const DRAFTS = formatRoute({ screen: "drafts", name: "", item: null });
const SEARCH = formatRoute({ screen: "search", text: "", source: "", path: "", question: "" });
const START = formatRoute({ screen: "start", job: "", experiment: "" });

export function Runs({ route, workspace }: { route: RunsRoute; workspace: Loaded<Workspace> }) {
  const { language } = useSettings();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [most, setMost] = useState(FIRST);
  const [isAll, setAll] = useState(false);
  const [current, setCurrent] = useState(-1);
  const source = useSource();
  const { data, error } = workspace;
  const shown = useRef<readonly RunCard[]>([]);
  useKeys({
    KeyJ: () => setCurrent(Math.min(shown.current.length - 1, current + 1)),
    KeyK: () => setCurrent(Math.max(0, current - 1)),
    Enter: (event) => {
      const run = shown.current[current];
      if (run) location.assign(source.prefix(run.id) + runAddress(run.id));
      else if (event.target instanceof HTMLElement) event.target.click();
    },
  });
  useEffect(() => setCurrent(-1), [route.search, route.sort, isAll]);
  if (error) return <Failure error={error} again={workspace.again} />;
  if (!data) return <Loading />;
  if (!data.runs.length) return <NoRuns canStart={!data.is_read_only} hasDrafts={data.has_drafts} />;
  const archived = data.runs.filter((run) => run.about?.is_archived).length;
  const found = inRunOrder(
    data.runs.filter((run) => matchesRun(run, route.search) && (isAll || !run.about?.is_archived)),
    route.sort,
  );
  shown.current = found.slice(0, most);
  const choose = (run: RunCard, isChosen: boolean): void =>
    setChosen(isChosen ? [...chosen, run.id] : chosen.filter((id) => id !== run.id));
  const isSearched = found.length < data.runs.length;
  const title = isSearched
    ? tn("{n} of {total} run in {name}", "{n} of {total} runs in {name}", data.runs.length, { n: count(found.length, language), total: count(data.runs.length, language), name: data.name })
    : tn("{n} run in {name}", "{n} runs in {name}", found.length, { name: data.name });
  const canCompare = data.runs.length > 1 && source.canCompare;
  return (
    <div class="runs">
      <div class="title-line">
        <h1>{title}</h1>
        <div class="title-tools">
          {archived > 0 && (
            <label class="check">
              <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
              {t("show {n} archived", { n: count(archived, language) })}
            </label>
          )}
          <input
            type="search"
            aria-label={t("Search runs")}
            placeholder={t("Search runs")}
            value={route.search}
            onInput={(event) => replace({ ...route, search: event.currentTarget.value })}
          />
          {!data.is_read_only && !data.is_static && (
            <>
              {data.has_drafts && (
                <a class="button" href={DRAFTS}>
                  {t("Review drafts")}
                </a>
              )}
              <a class="button quiet" href={SEARCH}>
                {t("Search the documents")}
              </a>
              <a class="button" href={CONFIGURE}>
                {t("Set up an experiment")}
              </a>
              <a class="button main" href={START}>
                {t("New run")}
              </a>
            </>
          )}
        </div>
      </div>
      {found.length > 0 ? (
        <RunTable
          runs={shown.current}
          sort={route.sort}
          onSort={(sort) => replace({ ...route, sort })}
          chosen={chosen}
          onChoose={choose}
          canCompare={canCompare}
          current={current}
        />
      ) : (
        <p class="empty">{t("No run matches “{text}”.", { text: route.search })}</p>
      )}
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + FIRST)}>
          {t("Show more")}
        </button>
      )}
      {canCompare && <ChosenBar chosen={chosen} onClear={() => setChosen([])} />}
    </div>
  );
}

function ChosenBar({ chosen, onClear }: { chosen: readonly string[]; onClear: () => void }) {
  const [base, ...candidates] = chosen;
  const compare = (): void => {
    if (base === undefined) return;
    go({ screen: "compare", base, candidates, variant: "", candidateVariant: "", metric: "", maxFailed: 0, margin: null, equivalent: null });
  };
  return (
    <div class="chosen-bar">
      <button type="button" class="main" disabled={chosen.length < 2} onClick={compare}>
        {t("Compare {n} chosen", { n: chosen.length })}
      </button>
      {chosen.length > 0 ? (
        <button type="button" class="quiet" onClick={onClear}>
          {t("Clear the choice")}
        </button>
      ) : null}
      <span class="note">{t("Choose two or more runs to compare them. The one chosen first is the base.")}</span>
    </div>
  );
}

