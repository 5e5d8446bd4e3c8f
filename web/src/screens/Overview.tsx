// The answer first, in words; then the differences; then the values.

import { useState } from "preact/hooks";
import type { MetricInfo, RunView } from "../api";
import { ChartFigure } from "../charts/ChartFigure";
import { CopyLine } from "../parts/CopyLine";
import { CountsLine } from "../parts/CountsLine";
import { DifferenceNote, DifferencePlot } from "../parts/DifferencePlot";
import { Groups } from "../parts/Groups";
import { MetricTable } from "../parts/MetricTable";
import { PlainText } from "../parts/PlainText";
import { SelectField } from "../parts/SelectField";
import { NO_FILTER, type RunRoute, runAddress } from "../route";
import { replace } from "../state/location";
import { useSettings } from "../state/settings";
import { count, metricValue } from "../text/number";
import { show, t, tn } from "../words";

/** While a run goes on, its state is above: verdicts come at its end. */
export function Overview({ route, run, isLive }: { route: RunRoute; run: RunView; isLive: boolean }) {
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
          <p>{t("To go on with this run, type")}</p>
          <CopyLine command={run.setup.resume} />
        </section>
      )}
      {run.differences.length > 0 ? <Differences route={route} run={run} /> : <MainChart run={run} />}
      {run.variants.length > 0 && <Values run={run} />}
      <Groups route={route} run={run} />
    </>
  );
}

/** Whether the overview has the command that goes on with the run, at the failures or by itself. */
export function showsResume(run: RunView): boolean {
  return run.setup.resume !== "" && (run.failures.length > 0 || run.card.state === "partial");
}

function Sentences({ run }: { run: RunView }) {
  const [first, ...rest] = run.sentences;
  return (
    <section class="sentences">
      <p class="lead">
        <PlainText text={first ? show(first) : t("There is no finding yet: nothing has been scored.")} />
      </p>
      {rest.length > 0 && (
        <ul>
          {rest.map((sentence, at) => (
            <li key={at}>
              <PlainText text={show(sentence)} />
            </li>
          ))}
        </ul>
      )}
      <p class="counts-line">
        <CountsLine counts={run.card.counts} />
        {" · "}
        <a href={runAddress(run.card.id, "questions")}>{t("See the questions")}</a>
      </p>
      {run.about.map((text, at) => (
        <p class="counts-line" key={at}>
          <PlainText text={show(text)} />
        </p>
      ))}
      {run.unsure > 0 && (
        <p class="counts-line">
          {tn("A check is unsure of {n} answer, which counts as it leans.", "A check is unsure of {n} answers, which count as they lean.", run.unsure)}{" "}
          <a href={runAddress(run.card.id, "questions", { filter: { ...NO_FILTER, show: "unsure" } })}>{t("See the unsure answers")}</a>
        </p>
      )}
      {(run.reservations.length > 0 || run.outside > 0) && <Reservations run={run} />}
    </section>
  );
}

/** Why cases failed: the most frequent error first, and the command that asks them again. */
function Failures({ run }: { run: RunView }) {
  const { language } = useSettings();
  const { failed } = run.card.counts;
  if (!run.failures.length) return null;
  const total = run.card.counts.total ?? failed;
  const title = tn("{n} of {total} cases failed", "{n} of {total} cases failed", failed, { total: count(total, language) });
  return (
    <section class="failures" aria-label={title}>
      <h2 class="failed">
        <span aria-hidden="true">✗</span> {title}
      </h2>
      <ul>
        {run.failures.map(({ error, count: times }) => (
          <li key={error}>
            <strong class="number">{count(times, language)} ×</strong> <PlainText text={error || t("without a message")} />
          </li>
        ))}
      </ul>
      <p>
        <a href={runAddress(run.card.id, "questions", { filter: { ...NO_FILTER, show: "failed" } })}>{t("See the failed questions")}</a>
      </p>
      {run.setup.resume && (
        <>
          <p>{t("When the cause is gone, ask them again with")}</p>
          <CopyLine command={run.setup.resume} />
        </>
      )}
    </section>
  );
}

function Reservations({ run }: { run: RunView }) {
  const outside = tn("{n} recorded row does not belong to this run and is left out.", "{n} recorded rows do not belong to this run and are left out.", run.outside);
  return (
    <aside class="reservations" aria-label={t("Before you rely on this")}>
      <h2>{t("Before you rely on this")}</h2>
      <ul>
        {run.reservations.map((text, at) => (
          <li key={at}>
            <PlainText text={show(text)} />
          </li>
        ))}
        {run.outside > 0 && <li>{outside}</li>}
      </ul>
    </aside>
  );
}

function Differences({ route, run }: { route: RunRoute; run: RunView }) {
  const names = new Set(run.differences.map(({ metric }) => metric));
  const metrics = run.metrics.filter(({ name }) => names.has(name));
  const metric = metrics.find(({ name }) => name === (route.metric || run.primary)) ?? metrics[0];
  if (!metric) return null;
  const title = t("Differences to {baseline}", { baseline: run.baseline });
  return (
    <section>
      <div class="title-line">
        <h2>
          <PlainText text={title} />
        </h2>
        <SelectField
          label={t("Metric")}
          value={metric.name}
          choices={metrics.map(({ name, title: text }) => [name, show(text)])}
          onChoose={(name) => replace({ ...route, metric: name })}
        />
      </div>
      <DifferencePlot
        differences={run.differences.filter((difference) => difference.metric === metric.name)}
        metric={metric}
        label={title}
      />
      <Bands run={run} metric={metric} />
      <DifferenceNote differences={run.differences} />
    </section>
  );
}

/** What unsure answers leave open of the values of a metric, in a line for each variant. */
function Bands({ run, metric }: { run: RunView; metric: MetricInfo }) {
  const { language } = useSettings();
  return (
    <>
      {run.variants.map(({ name, cells }) => {
        const cell = cells[metric.name];
        if (!cell?.band) return null;
        const [value, low, high] = [cell.value, cell.band.low, cell.band.high].map((each) => metricValue(each, metric, language));
        const fields = { value: value ?? "", low: low ?? "", high: high ?? "", metric: name };
        return (
          <p key={name} class="note">
            <PlainText
              text={tn("{value} between {low} and {high} by {n} unsure answer: {metric}.", "{value} between {low} and {high} by {n} unsure answers: {metric}.", cell.unsure, fields)}
            />
          </p>
        );
      })}
    </>
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
  const { scored } = run.card.counts;
  const [isAll, setAll] = useState(false);
  const shown = isAll ? run.metrics : mainMetrics(run);
  return (
    <section>
      <div class="title-line">
        <h2>{t("Values")}</h2>
        {(isAll || shown.length < run.metrics.length) && (
          <button type="button" class="quiet" onClick={() => setAll(!isAll)}>
            {isAll ? t("Main metrics only") : t("All metrics")}
          </button>
        )}
      </div>
      <MetricTable run={run} metrics={shown} />
      <p class="note">{t("With 95% intervals. ▲ best, ▽ worst of a column; – is undefined, not zero.")}</p>
      {isLive && <p class="note">{tn("From the {n} case that was scored when this table was last read; it is read again every few seconds.", "From the {n} cases that were scored when this table was last read; it is read again every few seconds.", scored)}</p>}
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
