// An experiment as a form and as text, both ways, with a dry run beside it.

import { useEffect, useRef } from "preact/hooks";
import type { Checked, ConfigureStart } from "../api";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { PlainText } from "../parts/PlainText";
import { type ConfigureRoute, formatRoute } from "../route";
import { useLoad } from "../state/load";
import { useSettings } from "../state/settings";
import { count, duration, money } from "../text/number";
import { t, tn } from "../words";
import { opened } from "./call";
import { Form, Problems } from "./Form";
import { type Editing, useEditing } from "./state";

export function Configure({ route }: { route: ConfigureRoute }) {
  const start = useLoad("configure", opened);
  if (start.error) return <Failure error={start.error} again={start.again} />;
  if (!start.data) return <Loading />;
  return <Editor start={start.data} experiment={route.experiment} />;
}

function Editor({ start, experiment }: { start: ConfigureStart; experiment: string }) {
  const editing = useEditing(start, experiment);
  const { checked } = editing;
  const first = checked?.problems.find(({ field }) => field === "text");
  return (
    <article class="configure">
      <header class="title-line">
        <h1>{t("Set up an experiment")}</h1>
        <div class="buttons">
          <span class="faint" role="status">
            {editing.isChecking ? t("checking…") : editing.isSaved ? "" : t("not saved")}
          </span>
          <button type="button" class="main" disabled={editing.isSaved || editing.isChecking || first !== undefined} onClick={editing.save}>
            {t("Save")}
          </button>
          {editing.isSaved && checked && checked.problems.length === 0 && checked.experiment !== "" && (
            <a class="button" href={formatRoute({ screen: "start", job: "ablation", experiment: checked.experiment })}>
              {t("Start it…")}
            </a>
          )}
        </div>
      </header>
      {editing.error && <Failure error={editing.error} />}
      <div class="configure-columns">
        {checked || editing.error ? <Form editing={editing} /> : <Loading />}
        <div class="configure-side">
          <DryRunCard checked={checked} isChecking={editing.isChecking} />
          <TextCard editing={editing} path={start.path} />
        </div>
      </div>
    </article>
  );
}

function DryRunCard({ checked, isChecking }: { checked: Checked | null; isChecking: boolean }) {
  const { language } = useSettings();
  const run = checked?.dry_run;
  const n = (value: number | null | undefined): string => (value === null || value === undefined ? t("not known yet") : count(Math.round(value), language));
  const tokens = run && run.prompt_tokens !== null ? `${n(run.prompt_tokens)}, ${n(run.completion_tokens)}` : t("not known yet");
  const time = (seconds: number, isEarlier: boolean): string => {
    const shown = duration(seconds, language);
    return isEarlier ? t("{time}, estimated from earlier runs with the same settings", { time: shown }) : shown;
  };
  const problems = checked?.problems.length ?? 0;
  const facts: [string, string][] = run
    ? [
        [t("Cases"), t("{n} ({recorded} recorded)", { n: n(run.cases), recorded: n(run.recorded) })],
        [t("Distinct calls"), run.calls === null ? t("not known yet") : t("{n} ({unshared} without sharing)", { n: n(run.calls), unshared: n(run.calls_without_sharing) })],
        [t("Tokens in, out"), tokens],
        [t("Cost"), run.cost === null ? t("not known yet") : money(run.cost, language)],
        [t("Time"), run.seconds === null ? t("not known yet") : time(run.seconds, run.is_time_of_earlier_runs)],
        [t("Variants"), run.variants.join(", ")],
      ]
    : [];
  return (
    <section class="dry-run" aria-label={t("Dry run")} aria-busy={isChecking}>
      <h2>{t("Dry run")}</h2>
      {run ? (
        <dl>
          {facts.map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd class="number">
                <PlainText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p class="faint">
          {problems > 0 ? `${tn("{n} problem", "{n} problems", problems)}. ${t("Mend the problems to see what it takes.")}` : checked ? t("Mend the problems to see what it takes.") : t("checking…")}
        </p>
      )}
    </section>
  );
}

function TextCard({ editing, path }: { editing: Editing; path: string }) {
  const lines = editing.text.split("\n").length;
  const area = useRef<HTMLTextAreaElement>(null);
  const line = lineOf(editing.text, editing.checked?.experiment ?? "");
  useEffect(() => {
    if (area.current && document.activeElement !== area.current) showLine(area.current, line, lines);
  }, [line, lines]);
  return (
    <section class="configure-text">
      <h2>
        <label for="yaml">
          <PlainText text={path} />
        </label>
      </h2>
      <Problems checked={editing.checked} field="text" />
      <textarea
        id="yaml"
        ref={area}
        spellcheck={false}
        wrap="off"
        rows={Math.min(40, Math.max(16, lines + 1))}
        value={editing.text}
        onInput={(event) => editing.editText(event.currentTarget.value)}
      />
    </section>
  );
}

/** The line on which an experiment begins, from 0. */
function lineOf(text: string, name: string): number {
  const found = text.split("\n").findIndex((line) => /^\s*-?\s*name:/.test(line) && line.split(":")[1]?.split("#")[0]?.trim() === name);
  return Math.max(0, found);
}

function showLine(area: HTMLTextAreaElement, line: number, lines: number): void {
  area.scrollTop = Math.max(0, (area.scrollHeight * (line - 2)) / Math.max(1, lines));
}
