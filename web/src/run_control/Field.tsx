// One field of the form of a job.

import type { StartField } from "../api";
import { PlainText } from "../parts/PlainText";
import { show, t } from "../words";

interface Props {
  readonly field: StartField;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
}

type Words = Readonly<Record<string, string>>;

function titles(): Words {
  return {
    timeout: t("Seconds a case may take"),
    retries: t("Retries of a case"),
    primary: t("Metric that decides"),
    set: t("Settings of the system"),
    out: t("Results file"),
    out_folder: t("Folder for the results"),
    stop_early: t("Stop a variant once it is decided"),
    experiment: t("Experiment"),
    limit: t("Questions at most"),
    top_k: t("Passages to retrieve"),
    max_cost: t("Cost at most"),
    max_minutes: t("Minutes at most"),
    concurrency: t("Cases at the same time"),
    resume: t("If something changed"),
    sample: t("Use the sample of assay"),
    lang: t("Language of the sample"),
    novel: t("Novel, a text file"),
    system: t("System to ask"),
    depth_mode: t("Depths"),
    depth: t("Depth in %, for fixed"),
    context_lengths: t("Lengths in tokens"),
    per_cell: t("Questions a cell"),
    closed_book: t("Ask without the novel first"),
    pdf: t("PDF"),
    questions: t("Questions, JSON lines"),
    config: t("Configuration file"),
    runs: t("Times each question is asked"),
    exact_form: t("Phrases must have the same form"),
    data: t("Clauses with true verdicts"),
    rules: t("Rules of the reviewer"),
    laws: t("Laws"),
    costs: t("Costs of verdicts"),
    threshold: t("Score of a valid quotation"),
    path: t("Benchmark file"),
    type: t("Type of questions"),
    name: t("Name of the results"),
  };
}

function hints(): Words {
  return {
    set: t("One NAME=VALUE a line"),
    out: t("For example eval/runs/may.json; for depth, experiments/may.jsonl"),
    out_folder: t("For example experiments/may"),
    timeout: t("Retries are included."),
    stop_early: t("Asks no more questions than needed; without p-values."),
    resume: t("ask: stop and say what changed; keep: keep the answers; refresh: ask again what changed; fresh: a new run, and the old results are renamed and kept."),
    max_cost: t("The run stops there and can go on later."),
    context_lengths: t("For example 32000,64000"),
    system: t("Configured in experiments.yaml, or installed."),
  };
}

export function Field({ field, value, onChange }: Props) {
  const name = field.kind === "folder" ? `${field.name}_folder` : field.name;
  const label = titles()[name] ?? field.name;
  const hint = hints()[name];
  if (field.kind === "switch")
    return (
      <label class="switch">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span>{label}</span>
        {hint && <small>{hint}</small>}
      </label>
    );
  return (
    <label class="entry">
      <span>
        {label}
        {field.is_required && <span aria-hidden="true"> *</span>}
      </span>
      <Input field={field} value={String(value)} onChange={onChange} />
      {hint && <small>{hint}</small>}
    </label>
  );
}

function Input({ field, value, onChange }: Props & { readonly value: string }) {
  const change = (event: { readonly currentTarget: { readonly value: string } }): void => onChange(event.currentTarget.value);
  if (field.kind === "choice")
    return (
      <select value={value} required={field.is_required} onChange={change}>
        {!field.is_required && <option value="">{t("as usual")}</option>}
        {field.choices.map((choice, at) => (
          <option key={choice} value={choice}>
            <PlainText text={show(field.titles[at]) || choice} />
          </option>
        ))}
      </select>
    );
  if (field.kind === "count" || field.kind === "number")
    return (
      <input
        type="number"
        min="0"
        step={field.kind === "count" ? 1 : "any"}
        value={value}
        placeholder={t("as usual")}
        onInput={change}
      />
    );
  if (field.kind === "settings") return <textarea rows={2} value={value} spellcheck={false} autocomplete="off" onInput={change} />;
  const list = field.kind === "file" ? `files-${field.name}` : undefined;
  return (
    <>
      <input type="text" list={list} value={value} spellcheck={false} autocomplete="off" onInput={change} />
      {list && (
        <datalist id={list}>
          {field.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </>
  );
}
