// The answer first, in words; then the differences; then the values.

import { useState } from "preact/hooks";
import type { MetricInfo, RunView } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { CountsLine } from "../parts/CountsLine";
import { DifferencePlot } from "../parts/DifferencePlot";
import { MetricTable } from "../parts/MetricTable";
import { PlainText } from "../parts/PlainText";
import { type RunRoute, runAddress } from "../route";
import { replace } from "../state/location";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { fill, plural, said } from "../words";

export function Overview({ route, run }: { route: RunRoute; run: RunView }) {
  const { words } = useSettings();
  return (
    <>
      <Sentences run={run} />
      {run.card.state === "partial" && run.setup.command && (
        <section class="resume">
          <p>{words.run.resume}</p>
          <CopyLine command={run.setup.command} />
        </section>
      )}
      {run.differences.length > 0 && <Differences route={route} run={run} />}
      {run.variants.length > 0 && <Values run={run} />}
    </>
  );
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
          {rest.map((sentence) => (
            <li>
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

function Reservations({ run }: { run: RunView }) {
  const { language, words } = useSettings();
  const outside = fill(plural(words.run.outside, run.outside, language), { n: count(run.outside, language) });
  return (
    <aside class="reservations" aria-label={words.run.reservations}>
      <h2>{words.run.reservations}</h2>
      <ul>
        {run.reservations.map((text) => (
          <li>
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
        <label class="field">
          {words.run.metric}
          <select
            value={metric.name}
            onChange={(event) => replace({ ...route, metric: event.currentTarget.value })}
          >
            {metrics.map(({ name, title: text }) => (
              <option value={name}>{said(text, language)}</option>
            ))}
          </select>
        </label>
      </div>
      <DifferencePlot
        differences={run.differences.filter((difference) => difference.metric === metric.name)}
        metric={metric}
        label={title}
      />
      <p class="note">{words.run.differenceNote}</p>
    </section>
  );
}

const MAIN = 8;
const LABEL = "label"; // what people said

function Values({ run }: { run: RunView }) {
  const { words } = useSettings();
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
