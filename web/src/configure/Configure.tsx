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
import { fill, plural } from "../words";
import { opened } from "./call";
import { Form, Problems } from "./Form";
import { type Editing, useEditing } from "./state";
import { useConfigureWords } from "./words";

export function Configure({ route }: { route: ConfigureRoute }) {
  const start = useLoad("configure", opened);
  if (start.error) return <Failure error={start.error} again={start.again} />;
  if (!start.data) return <Loading />;
  return <Editor start={start.data} experiment={route.experiment} />;
}

function Editor({ start, experiment }: { start: ConfigureStart; experiment: string }) {
  const say = useConfigureWords();
  const editing = useEditing(start, experiment);
  const { checked } = editing;
  const first = checked?.problems.find(({ field }) => field === "text");
  return (
    <article class="configure">
      <header class="title-line">
        <h1>{say.title}</h1>
        <div class="buttons">
          <span class="faint" role="status">
            {editing.isChecking ? say.checking : editing.isSaved ? "" : say.unsaved}
          </span>
          <button type="button" class="main" disabled={editing.isSaved || editing.isChecking || first !== undefined} onClick={editing.save}>
            {say.save}
          </button>
          {editing.isSaved && checked && checked.problems.length === 0 && checked.experiment !== "" && (
            <a class="button" href={formatRoute({ screen: "start", job: "ablation", experiment: checked.experiment })}>
              {say.start}
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
  const say = useConfigureWords();
  const run = checked?.dry_run;
  const n = (value: number | null | undefined): string => (value === null || value === undefined ? say.unknown : count(Math.round(value), language));
  const tokens = run && run.prompt_tokens !== null ? `${n(run.prompt_tokens)}, ${n(run.completion_tokens)}` : say.unknown;
  const time = (seconds: number, isEarlier: boolean): string => {
    const shown = duration(seconds, language);
    return isEarlier ? fill(say.timeOfEarlier, { time: shown }) : shown;
  };
  const problems = checked?.problems.length ?? 0;
  const facts: [string, string][] = run
    ? [
        [say.cases, fill(say.casesOf, { n: n(run.cases), recorded: n(run.recorded) })],
        [say.calls, run.calls === null ? say.unknown : fill(say.callsOf, { n: n(run.calls), unshared: n(run.calls_without_sharing) })],
        [say.tokens, tokens],
        [say.cost, run.cost === null ? say.unknown : money(run.cost, language)],
        [say.time, run.seconds === null ? say.unknown : time(run.seconds, run.is_time_of_earlier_runs)],
        [say.variants, run.variants.join(", ")],
      ]
    : [];
  return (
    <section class="dry-run" aria-label={say.dryRun} aria-busy={isChecking}>
      <h2>{say.dryRun}</h2>
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
          {problems > 0 ? `${fill(plural(say.problems, problems, language), { n: count(problems, language) })}. ${say.notReady}` : checked ? say.notReady : say.checking}
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
