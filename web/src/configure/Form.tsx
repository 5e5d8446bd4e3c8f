// The form of one experiment.

import type { ComponentChildren } from "preact";
import type { Checked, Draft } from "../api";
import { PlainText } from "../parts/PlainText";
import { formatRoute } from "../route";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { show, t, tn } from "../words";
import type { Editing } from "./state";
import { SystemForm } from "./SystemForm";
import { Variables } from "./Variables";

const DESIGNS: readonly Draft["design"][] = ["single", "leave_one_out", "add_one", "factorial"];

function designWord(design: Draft["design"]): string {
  return { single: t("one variable"), leave_one_out: t("leave one out"), add_one: t("add one"), factorial: t("every combination") }[design];
}

export function Form({ editing }: { editing: Editing }) {
  const { checked, draft, editDraft } = editing;
  const known = checked?.experiments ?? [];
  return (
    <form class="configure-form" onSubmit={(event) => event.preventDefault()}>
      <Entry title={t("Experiment")}>
        <select aria-label={t("Experiment")} value={checked?.experiments.includes(draft.name) ? draft.name : ""} onChange={(event) => editing.choose(event.currentTarget.value)}>
          <option value="">{t("a new experiment")}</option>
          {known.map((name) => (
            <option key={name} value={name}>{name}</option>
          ))}
        </select>
      </Entry>
      <Entry title={t("Name")} checked={checked} field="name">
        <input type="text" name="name" aria-label={t("Name")} spellcheck={false} value={draft.name} onInput={(event) => editDraft({ name: event.currentTarget.value })} />
      </Entry>
      <Entry title={t("What you want to know")} checked={checked} field="description">
        <textarea name="description" aria-label={t("What you want to know")} rows={2} value={draft.description} onInput={(event) => editDraft({ description: event.currentTarget.value })} />
      </Entry>
      <Entry title={t("Questions")} checked={checked} field="questions_path">
        <Choice title={t("Questions")} value={draft.questions_path} none={t("as under defaults")} choices={checked?.question_files ?? []} onChange={(questions_path) => editDraft({ questions_path })} />
        <Questions checked={checked} />
      </Entry>
      <Entry title={t("System")} checked={checked} field="system">
        <Choice title={t("System")} value={draft.system} none={t("as under defaults")} choices={checked?.systems ?? []} onChange={(system) => editDraft({ system })} />
        <SystemForm editing={editing} />
      </Entry>
      <Entry title={t("Baseline")} checked={checked} field="baseline">
        <Choice title={t("Baseline")} value={draft.baseline} choices={checked?.baselines ?? ["normal"]} onChange={(baseline) => editDraft({ baseline })} />
      </Entry>
      <Entry title={t("Design")} checked={checked} field="design">
        <div class="design-choices" role="radiogroup" aria-label={t("Design")}>
          {DESIGNS.map((design) => (
            <label key={design} class="check">
              <input type="radio" name="design" checked={draft.design === design} onChange={() => editDraft({ design })} />
              {designWord(design)}
            </label>
          ))}
        </div>
      </Entry>
      <Entry title={t("Variables")} checked={checked} field="variables">
        {draft.has_variants ? <p class="note">{t("The file lists variants with names; change them in the text.")}</p> : <Variables editing={editing} />}
      </Entry>
      <Entry title={t("Metric that decides")} checked={checked} field="primary">
        <select aria-label={t("Metric that decides")} value={draft.primary} onChange={(event) => editDraft({ primary: event.currentTarget.value })}>
          <option value="">{t("main metric")}</option>
          {checked?.metrics.map(({ name, title }) => (
            <option key={name} value={name}>{show(title)}</option>
          ))}
        </select>
      </Entry>
      <Entry title={t("Questions at most")} checked={checked} field="question_limit">
        <Whole title={t("Questions at most")} value={draft.question_limit} none={t("all")} onChange={(question_limit) => editDraft({ question_limit })} />
      </Entry>
      <Entry title={t("Passages (top_k)")} checked={checked} field="top_k">
        <Whole title={t("Passages (top_k)")} value={draft.top_k} none={t("as under defaults")} onChange={(top_k) => editDraft({ top_k })} />
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
  const questions = checked?.questions;
  if (!questions) return null;
  const counted = tn("{n} question", "{n} questions", questions.count);
  const languages = questions.languages.map(([name, n]) => `${name} ${count(n, language)}`).join(", ");
  return (
    <details class="question-preview">
      <summary>
        {counted} · {languages}
      </summary>
      <ol aria-label={t("The first questions")}>
        {questions.preview.map(([id, text]) => (
          <li key={id}>
            <code>
              <PlainText text={id} />
            </code>{" "}
            <PlainText text={text} />{" "}
            {questions.path.endsWith(".jsonl") && <a href={formatRoute({ screen: "search", text, source: "", path: questions.path, question: id })}>{t("Find gold in the documents")}</a>}
          </li>
        ))}
      </ol>
    </details>
  );
}
