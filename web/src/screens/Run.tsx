// One run: its title, its tabs, and the tab of the address.

import { useEffect } from "preact/hooks";
import type { RunCard, RunView, Workspace } from "../api";
import { Judges } from "../judge/Judges";
import { Board } from "../label/Board";
import { useLiveRun } from "../live/context";
import { LivePanel } from "../live/LivePanel";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { PlainText } from "../parts/PlainText";
import { StateSign } from "../parts/StateSign";
import { RunBar } from "../run_control/RunBar";
import { RUN_TABS, runAddress, type RunRoute, type RunTab } from "../route";
import { useKeys } from "../state/keys";
import { type Loaded, useLoad } from "../state/load";
import { forgetItems } from "../state/items";
import { useSettings } from "../state/settings";
import { HttpSource } from "../source/http";
import { useSource } from "../state/source";
import { moment } from "../text/number";
import { t, tn } from "../words";
import { Charts } from "./Charts";
import { Cost } from "./Cost";
import { Overview, showsResume } from "./Overview";
import { Questions } from "./Questions";
import { Setup } from "./Setup";
import { Tables } from "./Tables";
import { jobWord, systemName, tabWord } from "../words/named";

const LIVE_MS = 5000;

export function Run({ route, workspace }: { route: RunRoute; workspace: Loaded<Workspace> }) {
  const source = useSource();
  const card = workspace.data?.runs.find(({ id }) => id === route.run);
  const live = useLiveRun(route.run);
  const isLive = live !== null;
  const { data, error, again } = useLoad(`run ${route.run}`, (signal) => source.run(route.run, signal));
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      forgetItems();
      again();
    }, LIVE_MS);
    return () => {
      clearInterval(timer);
      again();
    };
  }, [isLive, again]);
  const isEmpty = data !== null && data.card.counts.scored === 0 && (live?.counts.scored ?? 0) > 0;
  useEffect(() => {
    if (isEmpty) again(); // the first answers are not a few seconds old before they are shown
  }, [isEmpty, again]);
  const tabs = useTabs(data);
  useKeys({
    BracketLeft: () => openTab(tabs, route, -1),
    BracketRight: () => openTab(tabs, route, 1),
  });
  if (error) return <Failure error={error} again={again} />;
  const shown = card ?? data?.card;
  return (
    <article class="run">
      <div class="run-head">
        {shown ? <Title run={data} card={shown} isLive={isLive} /> : <div class="run-title placeholder" />}
        {card && workspace.data?.is_read_only === false && (
          <RunBar
            card={card}
            live={live}
            showsCommand={route.tab === "overview" && data !== null && showsResume(data)}
            again={workspace.again}
          />
        )}
      </div>
      {live && route.tab === "overview" && <LivePanel run={live} />}
      <Tabs route={route} tabs={tabs} />
      {data ? <Tab route={route} run={data} isLive={isLive} isReadOnly={workspace.data?.is_read_only ?? true} /> : <Loading />}
    </article>
  );
}

/** The tabs of a run; a saved page has no labels to give, and judges only if some have judged. */
function useTabs(run: RunView | null): readonly RunTab[] {
  const isServed = useSource() instanceof HttpSource;
  const hasJudges = (run?.judges.length ?? 0) + (run?.judge_preferences.length ?? 0) > 0;
  return RUN_TABS.filter((tab) => isServed || (tab !== "labels" && (tab !== "judges" || hasJudges)));
}

function openTab(tabs: readonly RunTab[], route: RunRoute, step: number): void {
  const at = tabs.indexOf(route.tab);
  const tab = tabs[(at + step + tabs.length) % tabs.length] as RunTab;
  location.hash = runAddress(route.run, tab);
}

/** The title, from the list of runs until the run has come. */
function Title({ run, card, isLive }: { run: RunView | null; card: RunCard; isLive: boolean }) {
  const { language } = useSettings();
  const questions = card.questions ?? run?.items ?? 0;
  const items = run?.items ?? questions;
  const variants = run?.variants.length ?? card.variants.length;
  const system = systemName(card.system);
  const facts = [
    jobWord(card.kind),
    system,
    tn("{n} question", "{n} questions", questions),
    items > questions ? tn("{n} case a variant", "{n} cases a variant", items) : "",
    tn("{n} variant", "{n} variants", variants),
    moment(card.started_at, language),
  ];
  return (
    <div class="run-title">
      <h1>
        <PlainText text={card.about?.title || card.name} />
      </h1>
      <span>
        <StateSign state={isLive ? "running" : card.state} counts={run?.card.counts ?? card.counts} />
        {card.about?.tags.map((tag) => (
          <span key={tag} class="tag">
            <PlainText text={tag} />
          </span>
        ))}
      </span>
      <p class="facts">
        {facts.filter(Boolean).map((fact) => (
          <span key={fact} class={fact === system ? "system" : ""}>
            <PlainText text={fact} />
          </span>
        ))}
      </p>
      {card.about?.note && (
        <p class="run-note">
          <PlainText text={card.about.note} />
        </p>
      )}
    </div>
  );
}

function Tabs({ route, tabs }: { route: RunRoute; tabs: readonly RunTab[] }) {
  return (
    <nav class="tabs" aria-label={t("Parts of this run")}>
      {tabs.map((tab) => (
        <a key={tab} href={runAddress(route.run, tab)} aria-current={tab === route.tab ? "page" : undefined}>
          {tabWord(tab)}
        </a>
      ))}
    </nav>
  );
}

function Tab({ route, run, isLive, isReadOnly }: { route: RunRoute; run: RunView; isLive: boolean; isReadOnly: boolean }) {
  switch (route.tab) {
    case "overview":
      return <Overview route={route} run={run} isLive={isLive} />;
    case "charts":
      return <Charts route={route} run={run} />;
    case "tables":
      return <Tables run={run} />;
    case "questions":
      return <Questions route={route} run={run} />;
    case "judges":
      return <Judges run={run} />;
    case "cost":
      return <Cost run={run} />;
    case "setup":
      return <Setup run={run} />;
    case "labels":
      return <Board run={route.run} isReadOnly={isReadOnly} />;
  }
}
