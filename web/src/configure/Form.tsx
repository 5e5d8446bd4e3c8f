// The form of one experiment.

import type { ComponentChildren } from "preact";
import type { Checked, Draft } from "../api";
import { useCorpusWords } from "../corpus/words";
import { PlainText } from "../parts/PlainText";
import { formatRoute } from "../route";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { fill, plural, said } from "../words";
import type { Editing } from "./state";
import { SystemForm } from "./SystemForm";
import { Variables } from "./Variables";
import { useConfigureWords } from "./words";

const DESIGNS: readonly Draft["design"][] = ["single", "leave_one_out", "add_one", "factorial"];

export function Form({ editing }: { editing: Editing }) {
  const { language } = useSettings();
  const say = useConfigureWords();
  const { checked, draft, editDraft } = editing;
  const known = checked?.experiments ?? [];
  return (
    <form class="configure-form" onSubmit={(event) => event.preventDefault()}>
      <Entry title={say.experiment}>
        <select aria-label={say.experiment} value={checked?.experiments.includes(draft.name) ? draft.name : ""} onChange={(event) => editing.choose(event.currentTarget.value)}>
          <option value="">{say.fresh}</option>
          {known.map((name) => (
            <option key={name} value={name}>{name}</option>
          ))}
        </select>
      </Entry>
      <Entry title={say.name} checked={checked} field="name">
        <input type="text" name="name" aria-label={say.name} spellcheck={false} value={draft.name} onInput={(event) => editDraft({ name: event.currentTarget.value })} />
      </Entry>
      <Entry title={say.description} checked={checked} field="description">
        <textarea name="description" aria-label={say.description} rows={2} value={draft.description} onInput={(event) => editDraft({ description: event.currentTarget.value })} />
      </Entry>
      <Entry title={say.questions} checked={checked} field="questions_path">
        <Choice title={say.questions} value={draft.questions_path} none={say.byDefault} choices={checked?.question_files ?? []} onChange={(questions_path) => editDraft({ questions_path })} />
        <Questions checked={checked} />
      </Entry>
      <Entry title={say.system} checked={checked} field="system">
        <Choice title={say.system} value={draft.system} none={say.byDefault} choices={checked?.systems ?? []} onChange={(system) => editDraft({ system })} />
        <SystemForm editing={editing} />
      </Entry>
      <Entry title={say.baseline} checked={checked} field="baseline">
        <Choice title={say.baseline} value={draft.baseline} choices={checked?.baselines ?? ["normal"]} onChange={(baseline) => editDraft({ baseline })} />
      </Entry>
      <Entry title={say.design} checked={checked} field="design">
        <div class="design-choices" role="radiogroup" aria-label={say.design}>
          {DESIGNS.map((design) => (
            <label key={design} class="check">
              <input type="radio" name="design" checked={draft.design === design} onChange={() => editDraft({ design })} />
              {say.designs[design]}
            </label>
          ))}
        </div>
      </Entry>
      <Entry title={say.variables} checked={checked} field="variables">
        {draft.has_variants ? <p class="note">{say.listed}</p> : <Variables editing={editing} />}
      </Entry>
      <Entry title={say.primary} checked={checked} field="primary">
        <select aria-label={say.primary} value={draft.primary} onChange={(event) => editDraft({ primary: event.currentTarget.value })}>
          <option value="">{say.mainMetric}</option>
          {checked?.metrics.map(({ name, title }) => (
            <option key={name} value={name}>{said(title, language)}</option>
          ))}
        </select>
      </Entry>
      <Entry title={say.limit} checked={checked} field="question_limit">
        <Whole title={say.limit} value={draft.question_limit} none={say.all} onChange={(question_limit) => editDraft({ question_limit })} />
      </Entry>
      <Entry title={say.topK} checked={checked} field="top_k">
        <Whole title={say.topK} value={draft.top_k} none={say.byDefault} onChange={(top_k) => editDraft({ top_k })} />
      </Entry>
    </form>
  );
}

interface EntryProps {
  readonly title: string;
  readonly checked?: Checked | null;
  readonly field?: string;
  readonly children: ComponentChildren;
}

function Entry({ title, checked, field, children }: EntryProps) {
  return (
    <div class="configure-entry" data-field={field}>
      <span class="entry-title">{title}</span>
      <div class="entry-body">
        {children}
        {field && <Problems checked={checked ?? null} field={field} />}
      </div>
    </div>
  );
}

/** The messages of the command line about one field. */
export function Problems({ checked, field }: { checked: Checked | null; field: string }) {
  const found = checked?.problems.filter((problem) => problem.field === field) ?? [];
  if (!found.length) return null;
  return (
    <ul class="entry-problems" role="alert">
      {found.map(({ message }) => (
        <li key={message}>
          <span aria-hidden="true">✗ </span>
          <PlainText text={message} />
        </li>
      ))}
    </ul>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly value: string;
  readonly none?: string;
  readonly choices: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ title, value, none, choices, onChange }: ChoiceProps) {
  const all = value && !choices.includes(value) ? [value, ...choices] : choices;
  return (
    <select aria-label={title} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {all.map((name) => (
        <option key={name} value={name}>{name}</option>
      ))}
    </select>
  );
}

function Whole({ title, value, none, onChange }: { title: string; value: number | null; none: string; onChange: (value: number | null) => void }) {
  return (
    <input
      type="number"
      min="0"
      step="1"
      aria-label={title}
      placeholder={none}
      value={value ?? ""}
      onInput={(event) => {
        const text = event.currentTarget.value;
        onChange(/^\d+$/.test(text) ? Number(text) : null);
      }}
    />
  );
}

function Questions({ checked }: { checked: Checked | null }) {
  const { language } = useSettings();
  const say = useConfigureWords();
  const corpus = useCorpusWords();
  const questions = checked?.questions;
  if (!questions) return null;
  const counted = fill(plural(say.questionCount, questions.count, language), { n: count(questions.count, language) });
  const languages = questions.languages.map(([name, n]) => `${name} ${count(n, language)}`).join(", ");
  return (
    <details class="question-preview">
      <summary>
        {counted} · {languages}
      </summary>
      <ol aria-label={say.preview}>
        {questions.preview.map(([id, text]) => (
          <li key={id}>
            <code>
              <PlainText text={id} />
            </code>{" "}
            <PlainText text={text} />{" "}
            {questions.path.endsWith(".jsonl") && <a href={formatRoute({ screen: "search", text, source: "", path: questions.path, question: id })}>{corpus.find}</a>}
          </li>
        ))}
      </ol>
    </details>
  );
}
