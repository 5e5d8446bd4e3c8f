// One field of the form of a job.

import type { StartField } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { said } from "../words";

interface Props {
  readonly field: StartField;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
}

export function Field({ field, value, onChange }: Props) {
  const { words } = useSettings();
  const name = field.kind === "folder" ? `${field.name}_folder` : field.name;
  const label = words.control.fields[name] ?? field.name;
  const hint = words.control.hints[name];
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
  const { language, words } = useSettings();
  const change = (event: { readonly currentTarget: { readonly value: string } }): void => onChange(event.currentTarget.value);
  if (field.kind === "choice")
    return (
      <select value={value} required={field.is_required} onChange={change}>
        {!field.is_required && <option value="">{words.control.byDefault}</option>}
        {field.choices.map((choice, at) => (
          <option key={choice} value={choice}>
            <PlainText text={said(field.titles[at], language) || choice} />
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
        placeholder={words.control.byDefault}
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
