// The table of runs; on a phone each run is a card.

import type { RunCard } from "../api";
import { useLiveRun } from "../live/context";
import { LiveHeadline, LiveState } from "../live/LiveCells";
import { runAddress } from "../route";
import { useSettings } from "../state/settings";
import { useSource } from "../state/source";
import { MISSING } from "../look";
import { count, duration, metricInterval, moment, money, significant } from "../text/number";
import { oneLine, visible } from "../text/visible";
import { show, t, tn, tx } from "../words";
import { jobWord, systemName } from "../words/named";
import { PlainText } from "./PlainText";
import { RUN_COLUMNS, type RunColumn } from "./run_order";
import { StateSign } from "./StateSign";

interface Props {
  readonly runs: readonly RunCard[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly chosen: readonly string[];
  readonly onChoose: (run: RunCard, isChosen: boolean) => void;
  readonly canCompare: boolean;
  /** The row that the keys have chosen; -1 for none. */
  readonly current: number;
}

const NUMERIC: readonly RunColumn[] = ["questions", "variants", "cost", "time"];

export function RunTable(props: Props) {
  return (
    <table class="run-table">
      <thead>
        <tr>
          {props.canCompare && (
            <td class="tick">
              <span class="unseen">{tx("compare", "base")}</span>
            </td>
          )}
          {RUN_COLUMNS.filter((column) => column !== "cost" || isPaid(props.runs)).map((column) => (
            <ColumnHead key={column} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {props.runs.map((run, index) => (
          <RunRow key={run.id} run={run} props={props} isCurrent={index === props.current} />
        ))}
      </tbody>
    </table>
  );
}

function columnTitles(): Record<RunColumn, string> {
  return {
    state: t("State"),
    name: t("Run"),
    job: t("Job"),
    system: t("System"),
    started: t("Started"),
    questions: t("Questions"),
    variants: t("Variants"),
    headline: t("Result"),
    cost: t("Paid"),
    time: t("Time"),
  };
}

function ColumnHead({ column, sort, onSort }: { column: RunColumn; sort: string; onSort: (sort: string) => void }) {
  const name = columnTitles()[column];
  const isUp = sort === column;
  const isDown = sort === `-${column}`;
  return (
    <th
      scope="col"
      class={`${column} ${NUMERIC.includes(column) ? "right" : ""}`}
      aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}
    >
      <button
        type="button"
        class="sort"
        title={t("Sort by {name}", { name })}
        onClick={() => onSort(isUp ? `-${column}` : isDown ? "" : column)}
      >
        {name}
        <span class="arrow" aria-hidden="true">
          {isUp ? "↑" : isDown ? "↓" : ""}
        </span>
      </button>
    </th>
  );
}

function intoView(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: "nearest" });
}

function RunRow({ run, props, isCurrent }: { run: RunCard; props: Props; isCurrent: boolean }) {
  const { language } = useSettings();
  const source = useSource();
  const place = props.chosen.indexOf(run.id);
  const live = useLiveRun(run.id);
  const title = run.about?.title || run.name;
  const paid = live?.paid ?? run.paid;
  return (
    <tr
      class={[place >= 0 ? "chosen" : "", isCurrent ? "current" : ""].filter(Boolean).join(" ")}
      aria-current={isCurrent ? "true" : undefined}
      ref={isCurrent ? intoView : null}
    >
      {props.canCompare && (
        <td class="tick">
          <input
            type="checkbox"
            checked={place >= 0}
            disabled={run.problem !== null}
            aria-label={t("Choose {name} for a comparison", { name: visible(run.name) })}
            onChange={(event) => props.onChoose(run, event.currentTarget.checked)}
          />
        </td>
      )}
      <td class="state">
        <StateSign state={live ? "running" : run.state} counts={run.counts} />
        {live ? <LiveState run={live} /> : <Progress run={run} />}
      </td>
      <th scope="row" class="name">
        <a href={source.prefix(run.id) + runAddress(run.id)} title={oneLine(run.name)}>
          <PlainText text={title} />
        </a>
        {run.about?.tags.map((tag) => (
          <span key={tag} class="tag">
            <PlainText text={tag} />
          </span>
        ))}
        {place === 0 && <span class="tag">{tx("compare", "base")}</span>}
      </th>
      <td class="job">{jobWord(run.kind)}</td>
      <td class="system" title={oneLine(run.system)}>
        <PlainText text={shortSystem(run.system)} />
      </td>
      <td class="started">{moment(run.started_at, language)}</td>
      <td class="questions right number" data-label={t("Questions")}>
        {count(run.questions, language)}
      </td>
      <td class="variants right number" data-label={t("Variants")} title={run.variants.map(oneLine).join(", ")}>
        {count(run.variants.length || null, language)}
      </td>
      <td class="headline">
        {live ? <LiveHeadline run={live} /> : <Headline run={run} />}
      </td>
      {isPaid(props.runs) && (
        <td class="cost right number" data-label={t("Paid")}>
          {paid ? money(paid, language) : MISSING}
        </td>
      )}
      <td class="time right number" data-label={t("Time")}>
        {duration(live?.elapsed_s ? Math.round(live.elapsed_s) : run.elapsed_s, language)}
      </td>
    </tr>
  );
}

/** What a system is called; the versions after its name are in the tip, and on the run. */
function shortSystem(system: string): string {
  return systemName(system).split(":", 1)[0] || system;
}

/** Whether the column of costs says anything. */
function isPaid(runs: readonly RunCard[]): boolean {
  return runs.some(({ paid }) => paid);
}

function Headline({ run }: { run: RunCard }) {
  const { language } = useSettings();
  if (run.problem !== null)
    return (
      <span class="problem">
        <PlainText text={run.problem} />
      </span>
    );
  const shown = { kind: isShareLike(run) ? "share" : "number", unit: "" };
  return (
    <>
      {run.headline !== null && (
        <span class="value">
          {show(run.metric)}{" "}
          <strong class="number">
            {shown.kind === "share" ? run.headline.toFixed(3) : significant(run.headline, language)}
          </strong>{" "}
          <span class="number faint">{metricInterval(run.interval, shown, language)}</span>
          {run.band && (
            <span class="finding">
              {t("{n} unsure: {band}", { n: count(run.unsure, language), band: metricInterval(run.band, shown, language) })}
            </span>
          )}
        </span>
      )}
      {run.finding && <span class="finding">{show(run.finding)}</span>}
    </>
  );
}

function isShareLike({ headline, interval }: RunCard): boolean {
  const numbers = [headline, interval?.low, interval?.high];
  return numbers.every((number) => number == null || (number >= 0 && number <= 1));
}

/** How far a run came, in parts: what is scored, and what failed or is not judged. */
function Progress({ run }: { run: RunCard }) {
  const { language } = useSettings();
  const { counts } = run;
  const done = counts.scored + counts.answered + counts.failed + counts.skipped + counts.spared;
  const total = counts.total ?? 0;
  const share = (number: number) => ({ width: `${(100 * number) / Math.max(total, done, 1)}%` });
  return (
    <>
      {run.state !== "complete" && total > 0 && (
        <>
          <span class="live-bar small" role="img" aria-label={t("{done} of {total}", { done: count(done, language), total: count(total, language) })}>
            <span class="good" style={share(done - counts.failed - counts.answered)} />
            <span class="open" style={share(counts.answered)} />
            <span class="bad" style={share(counts.failed)} />
          </span>
          {run.state !== "ended" && (
            <small class="number">{t("{done} of {total}", { done: count(done, language), total: count(total, language) })}</small>
          )}
        </>
      )}
      {counts.failed > 0 && run.state !== "ended" && (
        <small class="failed">{t("{n} failed", { n: count(counts.failed, language) })}</small>
      )}
      {run.broken_lines > 0 && (
        <small class="failed">
          <span aria-hidden="true">!</span> {tn("{n} line cannot be read", "{n} lines cannot be read", run.broken_lines)}
        </small>
      )}
    </>
  );
}
