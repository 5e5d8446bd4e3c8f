// The frame of every view: header, the view of the address, help.

import { useEffect, useState } from "preact/hooks";
import type { Workspace } from "./api";
import { Configure } from "./configure/Configure";
import { Drafts } from "./draft/Drafts";
import { Search } from "./corpus/Search";
import { Label } from "./label/Label";
import { Connection } from "./live/Connection";
import { LiveProvider, useLive } from "./live/context";
import { MapScreen } from "./map/MapScreen";
import { type Crumb, Header } from "./parts/Header";
import { Help } from "./parts/Help";
import { formatRoute, parseRoute, type Route, runAddress } from "./route";
import { StartScreen } from "./run_control/StartScreen";
import { Compare } from "./screens/Compare";
import { Lost } from "./screens/Lost";
import { Question } from "./screens/Question";
import { Run } from "./screens/Run";
import { Runs } from "./screens/Runs";
import { useKeys } from "./state/keys";
import { type Loaded, useLoad } from "./state/load";
import { replace, useRoute } from "./state/location";
import { useSettings } from "./state/settings";
import { useSource } from "./state/source";
import { visible } from "./text/visible";
import { t } from "./words";
import { tabWord } from "./words/named";

const LIVE_MS = 5000;

export function App() {
  useSettings(); // in another language everything is said again
  const route = useRoute();
  const [isHelp, setHelp] = useState(false);
  const workspace = useWorkspace();
  useOtherFile(route);
  useOnlyRun(workspace.data);
  const trail = trailOf(route, workspace.data, useSource().hasMap);
  useKeys({
    "Shift+Slash": () => setHelp(true),
    Slash: focusSearch,
    KeyU: () => goUp(trail),
  });
  useEffect(() => {
    const names = trail.map((crumb) => crumb.text).reverse();
    document.title = visible([...names, "assay"].join(" · "));
  });
  const place = placeOf(route);
  useEffect(() => scrollTo(0, 0), [place]);
  return (
    <LiveProvider isServed={workspace.data?.is_static === false} onRuns={workspace.again}>
      <a class="skip" href="#content" onClick={focusContent}>
        {t("Skip to the content")}
      </a>
      <Header trail={trail} onHelp={() => setHelp(true)} />
      <Connection />
      <main id="content" tabIndex={-1}>
        <Screen route={route} workspace={workspace} />
      </main>
      {isHelp && <Help onClose={() => setHelp(false)} />}
    </LiveProvider>
  );
}

function Screen({ route, workspace }: { route: Route; workspace: Loaded<Workspace> }) {
  useEndedRuns(workspace);
  switch (route.screen) {
    case "runs":
      return <Runs route={route} workspace={workspace} />;
    case "run":
      return <Run key={route.run} route={route} workspace={workspace} />;
    case "question":
      return <Question key={route.run} route={route} isReadOnly={workspace.data?.is_read_only ?? true} />;
    case "label":
      return <Label key={route.run} route={route} isReadOnly={workspace.data?.is_read_only ?? false} />;
    case "compare":
      return <Compare route={route} />;
    case "configure":
      return <Configure route={route} />;
    case "drafts":
      return <Drafts route={route} isReadOnly={workspace.data?.is_read_only ?? false} />;
    case "search":
      return <Search route={route} />;
    case "start":
      return <StartScreen route={route} again={workspace.again} />;
    case "map":
      return <MapScreen runs={workspace.data?.runs ?? []} />;
    case "lost":
      return <Lost />;
  }
}

/** The list of runs. The stream of events says when it has changed. */
function useWorkspace(): Loaded<Workspace> {
  const source = useSource();
  return useLoad("workspace", (signal) => source.workspace(signal));
}

/** Asks for the list again while a run that it calls running is not live: it may have ended. */
function useEndedRuns({ data, again }: Loaded<Workspace>): void {
  const { runs, isConnected } = useLive();
  const isDoubtful = data?.is_static === false && data.runs.some(({ id, state }) => state === "running" && !runs.has(id));
  useEffect(() => {
    if (!isDoubtful || isConnected === false) return;
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, LIVE_MS);
    return () => clearInterval(timer);
  }, [isDoubtful, isConnected, again]);
}

/** In the index of a folder of files, goes to the file that has the run. */
function useOtherFile(route: Route): void {
  const source = useSource();
  const file = route.screen === "run" || route.screen === "question" ? source.prefix(route.run) : "";
  useEffect(() => {
    if (file) location.replace(file + location.hash);
  }, [file]);
}

/** A file of maps opens them, and a file with one run opens it. */
function useOnlyRun(workspace: Workspace | null): void {
  const { hasMap } = useSource();
  const only = workspace?.is_static && workspace.runs.length === 1 ? workspace.runs[0] : undefined;
  useEffect(() => {
    if (location.hash) return;
    if (hasMap) replace({ screen: "map" });
    else if (only) replace(parseRoute(runAddress(only.id)));
  }, [only, hasMap]);
}

function trailOf(route: Route, workspace: Workspace | null, hasMap: boolean): Crumb[] {
  const map: Crumb = { text: t("Map"), address: formatRoute({ screen: "map" }) };
  const runs: Crumb = hasMap ? map : { text: t("Runs"), address: formatRoute({ screen: "runs", search: "", sort: "" }) };
  const name = (id: string): string => {
    const card = workspace?.runs.find((run) => run.id === id);
    return card?.about?.title || (card?.name ?? id);
  };
  switch (route.screen) {
    case "runs":
      return [runs];
    case "run": {
      const run = { text: name(route.run), address: runAddress(route.run) };
      return route.tab === "overview" ? [runs, run] : [runs, run, { text: tabWord(route.tab) }];
    }
    case "question":
      return [
        runs,
        { text: name(route.run), address: runAddress(route.run) },
        { text: t("Questions"), address: runAddress(route.run, "questions", { filter: route.filter }) },
        { text: route.item },
      ];
    case "label":
      return [runs, { text: name(route.run), address: runAddress(route.run) }, { text: t("Labels"), address: runAddress(route.run, "labels") }, { text: t("Label answers") }];
    case "compare":
      return [runs, { text: t("Comparison") }];
    case "configure":
      return [runs, { text: t("Set up an experiment") }];
    case "drafts": {
      const drafts = { text: t("Review drafts"), address: formatRoute({ screen: "drafts", name: "", item: null }) };
      return route.name ? [runs, drafts, { text: route.name }] : [runs, drafts];
    }
    case "search":
      return [runs, { text: t("Search the documents") }];
    case "start":
      return [runs, { text: t("New run") }];
    case "map":
      return [map];
    case "lost":
      return [runs, { text: t("There is no such page.") }];
  }
}

/** What a view is about, without its filters: scrolling to the top is for another one only. */
function placeOf(route: Route): string {
  if (route.screen === "run") return `${route.run} ${route.tab}`;
  if (route.screen === "question") return `${route.run} question ${route.item}`;
  if (route.screen === "label") return `${route.run} label ${route.item}`;
  if (route.screen === "drafts") return `drafts ${route.name} ${route.item}`;
  return route.screen;
}

function goUp(trail: readonly Crumb[]): void {
  const above = trail[trail.length - 2];
  if (above?.address) location.hash = above.address;
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>("input[type=search]")?.focus();
}

function focusContent(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
