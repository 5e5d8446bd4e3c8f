// The address of a view, after the "#": it can be sent to a colleague and opened again.
//
//   #/                                        the runs
//   #/run/NAME/overview?group=FIELD           a run: overview, charts, tables, judges, cost, setup
//   #/run/NAME/charts?chart=ID
//   #/run/NAME/questions?show=worse&text=…    its questions, with filters
//   #/run/NAME/question/ID?at=3&show=worse    one question; "at" is its place among those filtered
//   #/run/NAME/label?item=12&blind=true       labelling; "pair" twice for preferences
//   #/drafts/NAME?item=3                      drafted questions to accept, edit or reject
//   #/configure?experiment=NAME               an experiment as a form and as text
//   #/start/ablation?experiment=NAME           the form that starts a run
//   #/search?text=…&path=FILE&question=ID      the corpus, to find gold for a question
//   #/map                                     the maps of a file of depth results
//   #/compare?base=NAME&cand=NAME&cand=NAME   two or more runs

import type { ItemQuery } from "./api";

export const RUN_TABS = ["overview", "charts", "tables", "questions", "judges", "cost", "setup", "labels"] as const;
export type RunTab = (typeof RUN_TABS)[number];
export type Filter = Omit<ItemQuery, "offset" | "limit">;

export const NO_FILTER: Filter = {
  show: "all",
  variant: "",
  metric: "",
  low: null,
  high: null,
  source: "",
  tag: "",
  text: "",
  regex: false,
  sort: "file",
  descending: false,
  judge: "",
};

export interface RunsRoute {
  readonly screen: "runs";
  readonly search: string;
  readonly sort: string;
}

export interface RunRoute {
  readonly screen: "run";
  readonly run: string;
  readonly tab: RunTab;
  readonly chart: string;
  readonly metric: string;
  /** The field whose groups of questions are shown. */
  readonly group: string;
  readonly filter: Filter;
}

export interface QuestionRoute {
  readonly screen: "question";
  readonly run: string;
  /** The id of the question; addresses of earlier versions have its number. */
  readonly item: string;
  readonly at: number | null;
  readonly chosen: string;
  readonly filter: Filter;
}

export interface LabelRoute {
  readonly screen: "label";
  readonly run: string;
  readonly item: number | null;
  readonly isBlind: boolean;
  readonly pair: readonly string[];
}

export interface CompareRoute {
  readonly screen: "compare";
  readonly base: string;
  readonly candidates: readonly string[];
  readonly variant: string;
  readonly candidateVariant: string;
  readonly metric: string;
  /** How many cases may have failed. */
  readonly maxFailed: number;
  /** The largest loss, and the largest difference, that does not matter; at most one is given. */
  readonly margin: number | null;
  readonly equivalent: number | null;
}

export interface StartRoute {
  readonly screen: "start";
  readonly job: string;
  readonly experiment: string;
}

export interface ConfigureRoute {
  readonly screen: "configure";
  readonly experiment: string;
}

export interface DraftRoute {
  readonly screen: "drafts";
  /** The name of a file of drafts; empty for the list of files. */
  readonly name: string;
  readonly item: number | null;
}

export interface SearchRoute {
  readonly screen: "search";
  readonly text: string;
  readonly source: string;
  /** The file of questions and the question whose gold is looked for; empty if none. */
  readonly path: string;
  readonly question: string;
}

export interface MapRoute {
  readonly screen: "map";
}

export interface LostRoute {
  readonly screen: "lost";
}

export type Route = RunsRoute | RunRoute | QuestionRoute | LabelRoute | CompareRoute | StartRoute | ConfigureRoute | SearchRoute | DraftRoute | MapRoute | LostRoute;

/** The view that an address names. */
export function parseRoute(hash: string): Route {
  const [path, query] = split(hash.replace(/^#/, ""), "?");
  const words = new URLSearchParams(query);
  const parts = path.split("/").filter(Boolean).map(decoded);
  const [first, run, tab, item] = parts;
  if (first === undefined)
    return { screen: "runs", search: words.get("search") ?? "", sort: words.get("sort") ?? "" };
  if (first === "compare" && words.get("base")) return compareRoute(words);
  if (first === "start") return { screen: "start", job: run ?? "", experiment: words.get("experiment") ?? "" };
  if (first === "configure") return { screen: "configure", experiment: words.get("experiment") ?? "" };
  if (first === "map") return { screen: "map" };
  if (first === "drafts") return { screen: "drafts", name: run ?? "", item: wholeNumber(words.get("item")) };
  if (first === "search") {
    const text = (name: string): string => words.get(name) ?? "";
    return { screen: "search", text: text("text"), source: text("source"), path: text("path"), question: text("question") };
  }
  if (first !== "run" || run === undefined) return { screen: "lost" };
  if (tab === "question" && item !== undefined) {
    const at = words.get("at");
    return {
      screen: "question",
      run,
      item,
      at: at !== null && /^\d+$/.test(at) ? Number(at) : null,
      chosen: words.get("chosen") ?? "",
      filter: parseFilter(words),
    };
  }
  if (tab === "label") return labelRoute(run, words);
  const known = tab === undefined ? "overview" : RUN_TABS.find((name) => name === tab);
  if (known === undefined) return { screen: "lost" };
  return {
    screen: "run",
    run,
    tab: known,
    chart: words.get("chart") ?? "",
    metric: words.get("metric") ?? "",
    group: words.get("group") ?? "",
    filter: parseFilter(words),
  };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function labelRoute(run: string, words: URLSearchParams): LabelRoute {
  const pair = words.getAll("pair");
  return {
    screen: "label",
    run,
    item: wholeNumber(words.get("item")),
    isBlind: words.get("blind") === "true",
    pair: pair.length === 2 ? pair : [],
  };
}

function positive(text: string | null): number | null {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : null;
}

function compareRoute(words: URLSearchParams): CompareRoute {
  return {
    screen: "compare",
    base: words.get("base") ?? "",
    candidates: words.getAll("cand"),
    variant: words.get("variant") ?? "",
    candidateVariant: words.get("cand_variant") ?? "",
    metric: words.get("metric") ?? "",
    maxFailed: wholeNumber(words.get("max_failed")) ?? 0,
    margin: positive(words.get("margin")),
    equivalent: positive(words.get("equivalent")),
  };
}

/** The address of a view; what it leaves out is the default. */
export function formatRoute(route: Route): string {
  const words = new URLSearchParams();
  const add = (name: string, value: string | number | null): void => {
    if (value !== null && value !== "") words.append(name, String(value));
  };
  let path = "/";
  if (route.screen === "runs") {
    add("search", route.search);
    add("sort", route.sort);
  } else if (route.screen === "run") {
    path = `/run/${encodeURIComponent(route.run)}/${route.tab}`;
    if (route.tab === "charts") add("chart", route.chart);
    if (route.tab === "questions") formatFilter(route.filter).forEach(([k, v]) => add(k, v));
    else add("metric", route.metric);
    if (route.tab === "overview") add("group", route.group);
  } else if (route.screen === "question") {
    path = `/run/${encodeURIComponent(route.run)}/question/${encodeURIComponent(route.item)}`;
    add("at", route.at);
    add("chosen", route.chosen);
    formatFilter(route.filter).forEach(([k, v]) => add(k, v));
  } else if (route.screen === "label") {
    path = `/run/${encodeURIComponent(route.run)}/label`;
    add("item", route.item);
    if (route.isBlind) add("blind", "true");
    route.pair.forEach((name) => add("pair", name));
  } else if (route.screen === "configure") {
    path = "/configure";
    add("experiment", route.experiment);
  } else if (route.screen === "map") {
    path = "/map";
  } else if (route.screen === "drafts") {
    path = route.name ? `/drafts/${encodeURIComponent(route.name)}` : "/drafts";
    add("item", route.item);
  } else if (route.screen === "search") {
    path = "/search";
    for (const name of ["text", "source", "path", "question"] as const) add(name, route[name]);
  } else if (route.screen === "start") {
    path = `/start/${encodeURIComponent(route.job)}`;
    add("experiment", route.experiment);
  } else if (route.screen === "compare") {
    path = "/compare";
    add("base", route.base);
    route.candidates.forEach((name) => add("cand", name));
    add("variant", route.variant);
    add("cand_variant", route.candidateVariant);
    add("metric", route.metric);
    add("max_failed", route.maxFailed || null);
    add("margin", route.margin);
    add("equivalent", route.equivalent);
  }
  const query = words.toString();
  return `#${path}${query ? `?${query}` : ""}`;
}

/** Where a question stands: in the list of its address, or among all questions by id. */
export function placeOf(route: QuestionRoute, index: number): { readonly at: number; readonly filter: Filter } {
  if (route.at !== null) return { at: route.at, filter: route.filter };
  return { at: index, filter: { ...NO_FILTER, sort: "id" } };
}

/** The addresses of the questions of a list, made quickly for many rows. */
export function questionAddresses(run: string, filter: Filter): (id: string, at: number) => string {
  const rest = new URLSearchParams(formatFilter(filter)).toString();
  const path = `#/run/${encodeURIComponent(run)}/question/`;
  return (id, at) => `${path}${encodeURIComponent(id)}?at=${at}${rest ? `&${rest}` : ""}`;
}

/** The address of a tab of a run. */
export function runAddress(run: string, tab: RunTab = "overview", more: Partial<RunRoute> = {}): string {
  return formatRoute({ screen: "run", run, tab, chart: "", metric: "", group: "", filter: NO_FILTER, ...more });
}

/** The parts of a filter that differ from the default, by name. */
export function formatFilter(filter: Filter): [string, string][] {
  const found: [string, string][] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (value === NO_FILTER[name as keyof Filter] || value === null) continue;
    found.push([name, value === true ? "true" : String(value)]);
  }
  return found;
}

function parseFilter(words: URLSearchParams): Filter {
  const number = (name: string): number | null => {
    const text = words.get(name);
    return text === null || text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  const text = (name: "show" | "variant" | "metric" | "source" | "tag" | "text" | "sort" | "judge"): string =>
    words.get(name) ?? NO_FILTER[name];
  return {
    show: text("show"),
    variant: text("variant"),
    metric: text("metric"),
    low: number("low"),
    high: number("high"),
    source: text("source"),
    tag: text("tag"),
    text: text("text"),
    regex: words.get("regex") === "true",
    sort: text("sort"),
    descending: words.get("descending") === "true",
    judge: text("judge"),
  };
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
