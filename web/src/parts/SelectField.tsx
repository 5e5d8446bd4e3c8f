// A field that chooses one of some values.

import type { ComponentChildren } from "preact";

interface Props {
  readonly label: ComponentChildren;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, title: string])[];
  readonly onChoose: (value: string) => void;
}

export function SelectField({ label, value, choices, onChoose }: Props) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
