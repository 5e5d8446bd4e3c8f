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

const GROUPS = ["data", "system", "method", "limit"] as const;

export function StartScreen({ route, again }: { route: StartRoute; again: () => void }) {
  const { words } = useSettings();
  const { data, error, again: retry } = useLoad("start", () => startForm());
  if (error) return <Failure error={error} again={retry} />;
  if (!data) return <Loading />;
  const job = data.jobs.find((each) => each.job === (route.job || usualJob(data))) ?? data.jobs[0];
  if (!job) return null;
  return (
    <div class="start">
      <h1>{words.control.newRun}</h1>
      <nav class="tabs" aria-label={words.control.job}>
        {data.jobs.map(({ job: name }) => (
          <a key={name} href={formatRoute({ screen: "start", job: name, experiment: "" })} aria-current={name === job.job ? "page" : undefined}>
            {words.jobs[name] ?? name}
          </a>
        ))}
      </nav>
      <p class="job-note">{words.control.jobNotes[job.job]}</p>
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
  const { language, words } = useSettings();
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
        {lacksExperiments && !form.problem && <p class="empty">{words.control.noExperiments}</p>}
        {GROUPS.map((group) => (
          <Group key={group} group={group} fields={job.fields.filter((field) => field.group === group)} values={values} onChange={change} />
        ))}
      </div>
      <aside class="start-side">
        <h2>{words.control.command}</h2>
        <CopyLine command={commandOf(job, values)} />
        <p class="note">{words.control.commandNote}</p>
        <div class="buttons">
          <button type="submit" class="main" disabled={action.isBusy || isMissing}>
            {action.isBusy ? words.control.starting : words.control.start}
          </button>
          <button type="button" disabled={action.isBusy || isMissing} onClick={() => begin(true)}>
            {words.control.estimate}
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
  const { words } = useSettings();
  if (!fields.length) return null;
  return (
    <fieldset>
      <legend>{words.control.groups[group]}</legend>
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
