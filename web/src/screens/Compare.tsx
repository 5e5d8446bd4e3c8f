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
import { count, inPoints } from "../text/number";
import { visible } from "../text/visible";
import { show, t, tn, tx } from "../words";

export function Compare({ route }: { route: CompareRoute }) {
  const [come, setCome] = useState<readonly string[]>([]);
  const onCome = useCallback((candidate: string) => setCome((known) => [...known, candidate]), []);
  if (!route.candidates.length)
    return (
      <div class="failure">
        <h1 class="lead">{t("Choose at least one more run to compare with.")}</h1>
        <a class="button" href="#/">
          {t("To the runs")}
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
    margin: route.margin,
    equivalent: route.equivalent,
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
      {isOnly && <MarginChoice route={route} view={data} />}
      <Differences view={data} metric={route.metric} />
      <ChangedQuestions view={data} />
      <Gate view={data} />
    </section>
  );
}

const SIGNS = { passed: "✓", failed: "▼", unclear: "○", invalid: "✗" };
const CLASSES = { passed: "better", failed: "worse", unclear: "unclear", invalid: "failed" };

function Verdict({ view, isOnly }: { view: CompareView; isOnly: boolean }) {
  const words = { passed: t("passed"), failed: t("not passed"), unclear: t("cannot tell"), invalid: t("cannot be compared") };
  const link = (id: string, name: string) => (
    <a href={runAddress(id)}>
      <PlainText text={name} />
    </a>
  );
  const Title = isOnly ? "h1" : "h2";
  return (
    <div class={`gate ${CLASSES[view.outcome]}`}>
      <Title class="lead">
        <PlainText text={show(view.headline)} />
      </Title>
      <p class="gate-line">
        <strong class="verdict">
          <span aria-hidden="true">{SIGNS[view.outcome]}</span> {words[view.outcome]}
        </strong>
        <span class="faint">{t("exit code {code}", { code: view.exit_code })}</span>
        <span>
          {t("Base")}: {link(view.base.id, view.base.name)}
        </span>
        <span>
          {t("Candidate")}: {link(view.cand.id, view.cand.name)}
        </span>
      </p>
      {view.reasons.length > 0 && (
        <ul aria-label={t("Why")}>
          {view.reasons.map((reason, at) => (
            <li key={at}>
              <PlainText text={show(reason)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** How much was compared, as the command counts it. */
function Counts({ view }: { view: CompareView }) {
  const { language } = useSettings();
  if (!view.counts.length) return null;
  return (
    <p class="facts" aria-label={t("What was compared")}>
      {view.counts.map(([name, n], at) => (
        <span key={at}>
          {show(name)}: {count(n, language)}
        </span>
      ))}
    </p>
  );
}

/** How many failed cases are allowed; the questions that both runs answered can be compared all the same. */
function Allowed({ route, view }: { route: CompareRoute; view: CompareView }) {
  const { language } = useSettings();
  const source = useSource();
  const allow = (maxFailed: number): void => replace({ ...route, maxFailed });
  return (
    <aside class="reservations">
      <p>{t("{n} cases failed or are not judged in one of the runs. They are left out of the comparison if they are allowed.", { n: count(view.unscored, language) })}</p>
      {source.hasRows && (
        <p class="filter-line">
          <label class="field">
            {t("Failed cases allowed")}
            <input
              type="number"
              min="0"
              value={view.max_failed}
              onChange={(event) => allow(Math.max(0, Math.floor(event.currentTarget.valueAsNumber || 0)))}
            />
          </label>
          {view.max_failed < view.unscored && (
            <button type="button" class="button" onClick={() => allow(view.unscored)}>
              {t("Compare the other questions")}
            </button>
          )}
        </p>
      )}
    </aside>
  );
}

/** Runs of two versions of a question set: on how many questions they are compared. */
function Shared({ view, shared }: { view: CompareView; shared: SharedSets }) {
  const only = (n: number, run: string): string => tn("{n} only in {run}", "{n} only in {run}", n, { run: visible(run) });
  const facts = [
    tn("{n} question in both", "{n} questions in both", shared.both),
    shared.changed_total ? tn("{n} changed and left out", "{n} changed and left out", shared.changed_total) : "",
    only(shared.only_base, view.base.name),
    only(shared.only_cand, view.cand.name),
  ];
  return (
    <aside class="reservations">
      <p>
        <PlainText text={t("The question sets differ ({base} and {candidate}), so the gate refuses them. The figures below are about the questions that both have unchanged.", { base: shared.base_version || view.base.name, candidate: shared.cand_version || view.cand.name })} />
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
        label={t("Variant of {run}", { run: visible(view.base.name) })}
        names={view.base.variants}
        value={route.variant}
        onChoose={(variant) => replace({ ...route, variant })}
      />
      <VariantChoice
        label={t("Variant of {run}", { run: visible(view.cand.name) })}
        names={view.cand.variants}
        value={route.candidateVariant}
        onChoose={(candidateVariant) => replace({ ...route, candidateVariant })}
      />
      {metrics.length > 1 && (
        <SelectField
          label={t("Metric")}
          value={route.metric || view.metrics[0]?.name}
          choices={metrics.map(({ name, title }) => [name, show(title) + (view.unpaired.includes(name) ? ` (${t("no pairs")})` : "")])}
          onChoose={(metric) => replace({ ...route, metric })}
        />
      )}
      <a class="button quiet" href={swapped}>
        {t("Swap the two")}
      </a>
    </div>
  );
}

/** Scores start with a margin of 3 points; other metrics with one of their unit. */
const USUAL = { points: 0.03, unit: 1 };

/** What passes: no loss at all, no loss of more than a margin, or no difference of more than one. */
function MarginChoice({ route, view }: { route: CompareRoute; view: CompareView }) {
  const source = useSource();
  const metric = view.metrics[0];
  if (!source.hasRows || !metric) return null;
  const isPoints = inPoints(metric);
  const kind = route.margin !== null ? "margin" : route.equivalent !== null ? "equivalent" : "";
  const size = route.margin ?? route.equivalent ?? (isPoints ? USUAL.points : USUAL.unit);
  const ask = (chosen: string, value: number): void =>
    replace({ ...route, margin: chosen === "margin" ? value : null, equivalent: chosen === "equivalent" ? value : null });
  return (
    <div class="filter-line">
      <SelectField
        label={t("Passes if it is")}
        value={kind}
        choices={[
          ["", t("not worse in the mean or on any question")],
          ["margin", t("not worse by more than")],
          ["equivalent", t("not different by more than")],
        ]}
        onChoose={(chosen) => ask(chosen, size)}
      />
      {kind && (
        <label class="field">
          {isPoints ? t("points of 100") : metric.unit ? tx("unit", metric.unit) : t("difference")}
          <input
            type="number"
            min="0"
            step="any"
            value={isPoints ? Number((100 * size).toPrecision(12)) : size}
            onChange={(event) => {
              const value = event.currentTarget.valueAsNumber / (isPoints ? 100 : 1);
              if (value > 0) ask(kind, Number(value.toPrecision(12)));
            }}
          />
        </label>
      )}
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
  if (names.length < 2) return null;
  const choices = names.map((name) => [name, visible(name)] as const);
  return <SelectField label={label} value={value} choices={[["", t("baseline")], ...choices]} onChoose={onChoose} />;
}

/** The differences of each metric, one drawing for each, since their units differ. */
function Differences({ view, metric }: { view: CompareView; metric: string }) {
  const shares = view.metrics.filter(({ kind }) => kind === "rate" || kind === "share");
  const others = view.metrics.filter((each) => !shares.includes(each));
  const groups = [shares, ...others.map((each) => [each])].filter((group) => group.length > 0);
  const rows = (names: readonly string[]) =>
    view.differences
      .filter((difference) => names.includes(difference.metric) && (!metric || difference.metric === metric))
      .map((difference) => {
        const info = view.metrics.find(({ name }) => name === difference.metric);
        return { ...difference, variant: show(info?.title) || difference.metric };
      });
  if (!view.differences.length) return null;
  return (
    <section>
      <h2>{t("Paired differences")}</h2>
      {groups.map((group) => {
        const found = rows(group.map(({ name }) => name));
        const first = group[0];
        return first && found.length > 0 ? (
          <DifferencePlot key={first.name} differences={found} metric={first} label={show(first.title)} head={t("Metric")} />
        ) : null;
      })}
      <DifferenceNote differences={view.differences} />
    </section>
  );
}

function Gate({ view }: { view: CompareView }) {
  return (
    <section>
      <h2>{t("Settings of the gate")}</h2>
      <dl class="facts-list">
        {view.settings.map(([name, value], at) => (
          <div key={at}>
            <dt>{show(name)}</dt>
            <dd>
              <PlainText text={show(value)} />
            </dd>
          </div>
        ))}
      </dl>
      <h3>{t("The same in a terminal, in the folder of the workspace")}</h3>
      <CopyLine command={view.command} />
    </section>
  );
}
