// Start a run: the form of a job, an estimate, the command, and what became of it.

import { useState } from "preact/hooks";
import type { Started, StartField, StartForm, StartJob } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { PlainText } from "../parts/PlainText";
import { formatRoute, runAddress, type StartRoute } from "../route";
import { useLoad } from "../state/load";
import { useSettings } from "../state/settings";
import { useAction } from "./action";
import { start, startForm } from "./calls";
import { commandOf, type Values } from "./command";
import { Field } from "./Field";
import { follow } from "./follow";
import { Outcome } from "./Outcome";
import { t, tx } from "../words";
import { jobWord } from "../words/named";

const GROUPS = ["data", "system", "method", "limit"] as const;

function groupTitles(): Record<(typeof GROUPS)[number], string> {
  return {
    data: t("Questions and documents"),
    system: t("System"),
    method: t("Method"),
    limit: t("Limits"),
  };
}

function jobNotes(): Readonly<Record<string, string>> {
  return {
    ablation: t("Compares the variants of an experiment of experiments.yaml, question by question."),
    depth: t("Places evidence at chosen depths of long contexts and tests whether a model finds it."),
    quality: t("Asks about PDFs and scores answers by required and forbidden phrases."),
    review: t("Reviews contract clauses and scores risk levels, quotations and cited laws."),
    bench: t("Asks the questions of a legal benchmark and scores the answers."),
  };
}

export function StartScreen({ route, again }: { route: StartRoute; again: () => void }) {
  const { data, error, again: retry } = useLoad("start", () => startForm());
  if (error) return <Failure error={error} again={retry} />;
  if (!data) return <Loading />;
  const job = data.jobs.find((each) => each.job === (route.job || usualJob(data))) ?? data.jobs[0];
  if (!job) return null;
  return (
    <div class="start">
      <h1>{t("Start a run")}</h1>
      <nav class="tabs" aria-label={t("Job")}>
        {data.jobs.map(({ job: name }) => (
          <a key={name} href={formatRoute({ screen: "start", job: name, experiment: "" })} aria-current={name === job.job ? "page" : undefined}>
            {jobWord(name)}
          </a>
        ))}
      </nav>
      <p class="job-note">{jobNotes()[job.job]}</p>
      <JobForm key={job.job} job={job} form={data} route={route} again={again} />
    </div>
  );
}

/** The ablation if there is an experiment; otherwise a job with a sample that runs at once. */
function usualJob(form: StartForm): string {
  const ablation = form.jobs.find(({ job }) => job === "ablation");
  return form.problem || ablation?.fields[0]?.choices.length ? "ablation" : "bench";
}

interface JobProps {
  readonly job: StartJob;
  readonly form: StartForm;
  readonly route: StartRoute;
  readonly again: () => void;
}

function JobForm({ job, form, route, again }: JobProps) {
  const { language } = useSettings();
  const action = useAction();
  const [values, setValues] = useState<Values>(() => firstValues(job, route));
  const [outcome, setOutcome] = useState<{ readonly started: Started; readonly isDry: boolean } | null>(null);
  const change = (name: string, value: string | boolean): void => setValues({ ...values, [name]: value });
  const begin = (isDry: boolean): void =>
    action.run(async () => {
      setOutcome(null);
      const request = { job: job.job, options: values, is_dry: isDry, lang: isDry ? language : ("" as const) };
      const state = await follow(await start(request), (now) => setOutcome({ started: now, isDry }));
      again();
      if (state.state === "running" && state.run) location.hash = runAddress(state.run);
    });
  const send = (event: Event): void => {
    event.preventDefault();
    begin(false);
  };
  const isMissing = job.fields.some((field) => field.is_required && !values[field.name]);
  const lacksExperiments = job.job === "ablation" && !job.fields[0]?.choices.length;
  return (
    <form class="start-form" onSubmit={send}>
      <div class="groups">
        {job.job === "ablation" && form.problem && (
          <p class="problem" role="alert">
            <PlainText text={form.problem} />
          </p>
        )}
        {lacksExperiments && !form.problem && <p class="empty">{t("experiments/experiments.yaml has no experiment yet.")}</p>}
        {GROUPS.map((group) => (
          <Group key={group} group={group} fields={job.fields.filter((field) => field.group === group)} values={values} onChange={change} />
        ))}
      </div>
      <aside class="start-side">
        <h2>{t("The command")}</h2>
        <CopyLine command={commandOf(job, values)} />
        <p class="note">{t("It runs as a process of its own: closing this page or the server does not end it.")}</p>
        <div class="buttons">
          <button type="submit" class="main" disabled={action.isBusy || isMissing}>
            {action.isBusy ? t("Starting…") : tx("run", "Start")}
          </button>
          <button type="button" disabled={action.isBusy || isMissing} onClick={() => begin(true)}>
            {t("Estimate only")}
          </button>
        </div>
        {action.error && <Failure error={action.error} />}
        {outcome && <Outcome started={outcome.started} isDry={outcome.isDry} />}
      </aside>
    </form>
  );
}

interface GroupProps {
  readonly group: (typeof GROUPS)[number];
  readonly fields: readonly StartField[];
  readonly values: Values;
  readonly onChange: (name: string, value: string | boolean) => void;
}

function Group({ group, fields, values, onChange }: GroupProps) {
  if (!fields.length) return null;
  return (
    <fieldset>
      <legend>{groupTitles()[group]}</legend>
      {fields.map((field) => (
        <Field key={field.name} field={field} value={values[field.name] ?? ""} onChange={(value) => onChange(field.name, value)} />
      ))}
    </fieldset>
  );
}

function firstValues(job: StartJob, route: StartRoute): Values {
  if (job.job !== "ablation") return job.fields.some(({ name }) => name === "sample") ? { sample: true } : {};
  const choices = job.fields.find(({ name }) => name === "experiment")?.choices ?? [];
  const experiment = choices.includes(route.experiment) ? route.experiment : choices[0];
  return experiment ? { experiment } : {};
}
