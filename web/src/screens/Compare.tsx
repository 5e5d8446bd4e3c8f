// Two or more runs: the gate's verdict for each candidate, paired differences, changed questions.

import { useCallback, useEffect, useState } from "preact/hooks";
import type { CompareView, SharedSets } from "../api";
import { ChangedQuestions } from "../parts/ChangedQuestions";
import { CopyLine } from "../parts/CopyLine";
import { DifferenceNote, DifferencePlot } from "../parts/DifferencePlot";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { PlainText } from "../parts/PlainText";
import { SelectField } from "../parts/SelectField";
import { type CompareRoute, formatRoute, runAddress } from "../route";
import { useLoad } from "../state/load";
import { replace } from "../state/location";
import { useSettings } from "../state/settings";
import { useSource } from "../state/source";
import { count } from "../text/number";
import { visible } from "../text/visible";
import { factValue, fill, type Forms, plural, said } from "../words";

export function Compare({ route }: { route: CompareRoute }) {
  const { words } = useSettings();
  const [come, setCome] = useState<readonly string[]>([]);
  const onCome = useCallback((candidate: string) => setCome((known) => [...known, candidate]), []);
  if (!route.candidates.length)
    return (
      <div class="failure">
        <h1 class="lead">{words.compare.needTwo}</h1>
        <a class="button" href="#/">
          {words.problems.home}
        </a>
      </div>
    );
  return (
    <article class="compare">
      {route.candidates.map((candidate, at) => (
        <Comparison
          key={candidate}
          route={route}
          candidate={candidate}
          isOnly={route.candidates.length === 1}
          isNext={route.candidates.slice(0, at).every((before) => come.includes(before))}
          onCome={onCome}
        />
      ))}
    </article>
  );
}

interface ComparisonProps {
  readonly route: CompareRoute;
  readonly candidate: string;
  readonly isOnly: boolean;
  /** Whether all comparisons above this one are shown; until then it would be pushed down by them. */
  readonly isNext: boolean;
  readonly onCome: (candidate: string) => void;
}

function Comparison({ route, candidate, isOnly, isNext, onCome }: ComparisonProps) {
  const source = useSource();
  const call = {
    base: route.base,
    candidate,
    variant: route.variant,
    candidateVariant: route.candidateVariant,
    metric: route.metric,
    maxFailed: route.maxFailed,
  };
  const { data, error, again } = useLoad(JSON.stringify(call), (signal) => source.compare(call, signal));
  const hasCome = data !== null || error !== null;
  useEffect(() => {
    if (hasCome) onCome(candidate);
  }, [hasCome, candidate, onCome]);
  if (!isNext) return null;
  if (error) return <Failure error={error} again={again} />;
  if (!data) return <Loading />;
  return (
    <section class="comparison">
      <Verdict view={data} isOnly={isOnly} />
      <Counts view={data} />
      {data.unscored > 0 && <Allowed route={route} view={data} />}
      {data.shared && <Shared view={data} shared={data.shared} />}
      {isOnly && <Choices route={route} view={data} />}
      <Differences view={data} metric={route.metric} />
      <ChangedQuestions view={data} />
      <Gate view={data} />
    </section>
  );
}

const SIGNS = ["✓", "▼", "✗"];
const CLASSES = ["better", "worse", "failed"];

function Verdict({ view, isOnly }: { view: CompareView; isOnly: boolean }) {
  const { language, words } = useSettings();
  const code = Math.min(2, Math.max(0, view.exit_code));
  const link = (id: string, name: string) => (
    <a href={runAddress(id)}>
      <PlainText text={name} />
    </a>
  );
  const Title = isOnly ? "h1" : "h2";
  return (
    <div class={`gate ${CLASSES[code]}`}>
      <Title class="lead">
        <PlainText text={said(view.headline, language)} />
      </Title>
      <p class="gate-line">
        <strong class="verdict">
          <span aria-hidden="true">{SIGNS[code]}</span> {words.compare.verdicts[code]}
        </strong>
        <span class="faint">{fill(words.compare.exit, { code: view.exit_code })}</span>
        <span>
          {words.compare.base}: {link(view.base.id, view.base.name)}
        </span>
        <span>
          {words.compare.candidate}: {link(view.cand.id, view.cand.name)}
        </span>
      </p>
      {view.reasons.length > 0 && (
        <ul aria-label={words.compare.reasons}>
          {view.reasons.map((reason, at) => (
            <li key={at}>
              <PlainText text={said(reason, language)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** How much was compared, as the command counts it. */
function Counts({ view }: { view: CompareView }) {
  const { language, words } = useSettings();
  if (!view.counts.length) return null;
  return (
    <p class="facts" aria-label={words.compare.counts}>
      {view.counts.map(([name, n], at) => (
        <span key={at}>
          {said(name, language)}: {count(n, language)}
        </span>
      ))}
    </p>
  );
}

/** How many failed cases are allowed; the questions that both runs answered can be compared all the same. */
function Allowed({ route, view }: { route: CompareRoute; view: CompareView }) {
  const { language, words } = useSettings();
  const source = useSource();
  const allow = (maxFailed: number): void => replace({ ...route, maxFailed });
  return (
    <aside class="reservations">
      <p>{fill(words.compare.unscored, { n: count(view.unscored, language) })}</p>
      {source.hasRows && (
        <p class="filter-line">
          <label class="field">
            {words.compare.allowed}
            <input
              type="number"
              min="0"
              value={view.max_failed}
              onChange={(event) => allow(Math.max(0, Math.floor(event.currentTarget.valueAsNumber || 0)))}
            />
          </label>
          {view.max_failed < view.unscored && (
            <button type="button" class="button" onClick={() => allow(view.unscored)}>
              {words.compare.anyway}
            </button>
          )}
        </p>
      )}
    </aside>
  );
}

/** Runs of two versions of a question set: on how many questions they are compared. */
function Shared({ view, shared }: { view: CompareView; shared: SharedSets }) {
  const { language, words } = useSettings();
  const counted = (forms: Forms, n: number, run = ""): string => fill(plural(forms, n, language), { n: count(n, language), run: visible(run) });
  const facts = [
    counted(words.compare.sharedBoth, shared.both),
    shared.changed_total ? counted(words.compare.sharedChanged, shared.changed_total) : "",
    counted(words.compare.sharedOnly, shared.only_base, view.base.name),
    counted(words.compare.sharedOnly, shared.only_cand, view.cand.name),
  ];
  return (
    <aside class="reservations">
      <p>
        <PlainText text={fill(words.compare.shared, { base: shared.base_version || view.base.name, candidate: shared.cand_version || view.cand.name })} />
      </p>
      <p class="facts">
        {facts.filter(Boolean).map((fact, at) => (
          <span key={at}>{fact}</span>
        ))}
      </p>
      {shared.changed.length > 0 && (
        <p class="note">
          <PlainText text={shared.changed.join(", ") + (shared.changed_total > shared.changed.length ? ", …" : "")} />
        </p>
      )}
    </aside>
  );
}

function Choices({ route, view }: { route: CompareRoute; view: CompareView }) {
  const { language, words } = useSettings();
  const source = useSource();
  const base = useLoad(source.prefix(view.base.id) ? "" : `run ${view.base.id}`, (signal) => source.run(view.base.id, signal));
  const metrics = base.data?.metrics ?? view.metrics;
  const swapped = formatRoute({
    ...route,
    base: view.cand.id,
    candidates: [view.base.id],
    variant: route.candidateVariant,
    candidateVariant: route.variant,
  });
  return (
    <div class="filter-line">
      <VariantChoice
        label={fill(words.compare.variantOf, { run: visible(view.base.name) })}
        names={view.base.variants}
        value={route.variant}
        onChoose={(variant) => replace({ ...route, variant })}
      />
      <VariantChoice
        label={fill(words.compare.variantOf, { run: visible(view.cand.name) })}
        names={view.cand.variants}
        value={route.candidateVariant}
        onChoose={(candidateVariant) => replace({ ...route, candidateVariant })}
      />
      {metrics.length > 1 && (
        <SelectField
          label={words.run.metric}
          value={route.metric || view.metrics[0]?.name}
          choices={metrics.map(({ name, title }) => [name, said(title, language) + (view.unpaired.includes(name) ? ` (${words.compare.unpaired})` : "")])}
          onChoose={(metric) => replace({ ...route, metric })}
        />
      )}
      <a class="button quiet" href={swapped}>
        {words.compare.swap}
      </a>
    </div>
  );
}

interface VariantChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: string;
  readonly onChoose: (name: string) => void;
}

function VariantChoice({ label, names, value, onChoose }: VariantChoiceProps) {
  const { words } = useSettings();
  if (names.length < 2) return null;
  const choices = names.map((name) => [name, visible(name)] as const);
  return <SelectField label={label} value={value} choices={[["", words.compare.defaultVariant], ...choices]} onChoose={onChoose} />;
}

/** The differences of each metric, one drawing for each, since their units differ. */
function Differences({ view, metric }: { view: CompareView; metric: string }) {
  const { language, words } = useSettings();
  const shares = view.metrics.filter(({ kind }) => kind === "rate" || kind === "share");
  const others = view.metrics.filter((each) => !shares.includes(each));
  const groups = [shares, ...others.map((each) => [each])].filter((group) => group.length > 0);
  const rows = (names: readonly string[]) =>
    view.differences
      .filter((difference) => names.includes(difference.metric) && (!metric || difference.metric === metric))
      .map((difference) => {
        const info = view.metrics.find(({ name }) => name === difference.metric);
        return { ...difference, variant: said(info?.title, language) || difference.metric };
      });
  if (!view.differences.length) return null;
  return (
    <section>
      <h2>{words.compare.differences}</h2>
      {groups.map((group) => {
        const found = rows(group.map(({ name }) => name));
        const first = group[0];
        return first && found.length > 0 ? (
          <DifferencePlot key={first.name} differences={found} metric={first} label={said(first.title, language)} head={words.run.metric} />
        ) : null;
      })}
      <DifferenceNote differences={view.differences} />
    </section>
  );
}

function Gate({ view }: { view: CompareView }) {
  const { language, words } = useSettings();
  return (
    <section>
      <h2>{words.compare.settings}</h2>
      <dl class="facts-list">
        {view.settings.map(([name, value], at) => (
          <div key={at}>
            <dt>{said(name, language)}</dt>
            <dd>
              <PlainText text={factValue(value, language)} />
            </dd>
          </div>
        ))}
      </dl>
      <h3>{words.compare.command}</h3>
      <CopyLine command={view.command} />
    </section>
  );
}
