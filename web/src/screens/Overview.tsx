// The answer first, in words; then the differences; then the values.

import { useState } from "preact/hooks";
import type { MetricInfo, RunView } from "../api";
import { ChartFigure } from "../charts/ChartFigure";
import { CopyLine } from "../parts/CopyLine";
import { CountsLine } from "../parts/CountsLine";
import { DifferenceNote, DifferencePlot } from "../parts/DifferencePlot";
import { MetricTable } from "../parts/MetricTable";
import { PlainText } from "../parts/PlainText";
import { SelectField } from "../parts/SelectField";
import { NO_FILTER, type RunRoute, runAddress } from "../route";
import { replace } from "../state/location";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { fill, plural, said } from "../words";

/** While a run goes on, its state is above: verdicts come at its end. */
export function Overview({ route, run, isLive }: { route: RunRoute; run: RunView; isLive: boolean }) {
  const { words } = useSettings();
  if (isLive)
    return (
      <>
        <Failures run={run} />
        {run.variants.length > 0 && run.card.counts.scored > 0 && <Values run={run} isLive />}
      </>
    );
  return (
    <>
      {run.card.state === "failed" && <Failures run={run} />}
      <Sentences run={run} />
      {run.card.state !== "failed" && <Failures run={run} />}
      {showsResume(run) && !run.failures.length && (
        <section class="resume">
          <p>{words.run.resume}</p>
          <CopyLine command={run.setup.resume} />
        </section>
      )}
      {run.differences.length > 0 ? <Differences route={route} run={run} /> : <MainChart run={run} />}
      {run.variants.length > 0 && <Values run={run} />}
    </>
  );
}

/** Whether the overview has the command that goes on with the run, at the failures or by itself. */
export function showsResume(run: RunView): boolean {
  return run.setup.resume !== "" && (run.failures.length > 0 || run.card.state === "partial");
}

function Sentences({ run }: { run: RunView }) {
  const { language, words } = useSettings();
  const [first, ...rest] = run.sentences;
  return (
    <section class="sentences">
      <p class="lead">
        <PlainText text={first ? said(first, language) : words.run.noSentences} />
      </p>
      {rest.length > 0 && (
        <ul>
          {rest.map((sentence, at) => (
            <li key={at}>
              <PlainText text={said(sentence, language)} />
            </li>
          ))}
        </ul>
      )}
      <p class="counts-line">
        <CountsLine counts={run.card.counts} />
        {" · "}
        <a href={runAddress(run.card.id, "questions")}>{words.run.seeQuestions}</a>
      </p>
      {(run.reservations.length > 0 || run.outside > 0) && <Reservations run={run} />}
    </section>
  );
}

/** Why cases failed: the most frequent error first, and the command that asks them again. */
function Failures({ run }: { run: RunView }) {
  const { language, words } = useSettings();
  const { failed } = run.card.counts;
  if (!run.failures.length) return null;
  const total = run.card.counts.total ?? failed;
  const title = fill(plural(words.run.failedTitle, failed, language), { n: count(failed, language), total: count(total, language) });
  return (
    <section class="failures" aria-label={title}>
      <h2 class="failed">
        <span aria-hidden="true">✗</span> {title}
      </h2>
      <ul>
        {run.failures.map(({ error, count: times }) => (
          <li key={error}>
            <strong class="number">{count(times, language)} ×</strong> <PlainText text={error || words.run.failedSilent} />
          </li>
        ))}
      </ul>
      <p>
        <a href={runAddress(run.card.id, "questions", { filter: { ...NO_FILTER, show: "failed" } })}>{words.run.failedSee}</a>
      </p>
      {run.setup.resume && (
        <>
          <p>{words.run.failedAgain}</p>
          <CopyLine command={run.setup.resume} />
        </>
      )}
    </section>
  );
}

function Reservations({ run }: { run: RunView }) {
  const { language, words } = useSettings();
  const outside = fill(plural(words.run.outside, run.outside, language), { n: count(run.outside, language) });
  return (
    <aside class="reservations" aria-label={words.run.reservations}>
      <h2>{words.run.reservations}</h2>
      <ul>
        {run.reservations.map((text, at) => (
          <li key={at}>
            <PlainText text={said(text, language)} />
          </li>
        ))}
        {run.outside > 0 && <li>{outside}</li>}
      </ul>
    </aside>
  );
}

function Differences({ route, run }: { route: RunRoute; run: RunView }) {
  const { language, words } = useSettings();
  const names = new Set(run.differences.map(({ metric }) => metric));
  const metrics = run.metrics.filter(({ name }) => names.has(name));
  const metric = metrics.find(({ name }) => name === (route.metric || run.primary)) ?? metrics[0];
  if (!metric) return null;
  const title = fill(words.run.differences, { baseline: run.baseline });
  return (
    <section>
      <div class="title-line">
        <h2>
          <PlainText text={title} />
        </h2>
        <SelectField
          label={words.run.metric}
          value={metric.name}
          choices={metrics.map(({ name, title: text }) => [name, said(text, language)])}
          onChoose={(name) => replace({ ...route, metric: name })}
        />
      </div>
      <DifferencePlot
        differences={run.differences.filter((difference) => difference.metric === metric.name)}
        metric={metric}
        label={title}
      />
      <DifferenceNote differences={run.differences} />
    </section>
  );
}

/** The most telling chart of a run that compares nothing; its other charts are a click away. */
function MainChart({ run }: { run: RunView }) {
  const chart = run.charts[0];
  if (!chart) return null;
  return (
    <section>
      <ChartFigure key={chart.id} chart={chart} run={run} />
    </section>
  );
}

const MAIN = 6;
const LABEL = "label"; // what people said

function Values({ run, isLive = false }: { run: RunView; isLive?: boolean }) {
  const { language, words } = useSettings();
  const { scored } = run.card.counts;
  const [isAll, setAll] = useState(false);
  const shown = isAll ? run.metrics : mainMetrics(run);
  return (
    <section>
      <div class="title-line">
        <h2>{words.run.values}</h2>
        {(isAll || shown.length < run.metrics.length) && (
          <button type="button" class="quiet" onClick={() => setAll(!isAll)}>
            {isAll ? words.run.fewMetrics : words.run.allMetrics}
          </button>
        )}
      </div>
      <MetricTable run={run} metrics={shown} />
      <p class="note">{words.run.valuesNote}</p>
      {isLive && <p class="note">{fill(plural(words.live.behind, scored, language), { n: count(scored, language) })}</p>}
    </section>
  );
}

/** The primary metric, what people said, and the first ones that some variant has a value of. */
function mainMetrics(run: RunView): MetricInfo[] {
  const known = run.metrics.filter(({ name }) =>
    run.variants.some(({ cells }) => cells[name]?.value !== null && cells[name] !== undefined),
  );
  const isFirst = ({ name }: MetricInfo): boolean => name === run.primary || name === LABEL;
  return [...known.filter(isFirst), ...known.filter((metric) => !isFirst(metric))].slice(0, MAIN);
}
