// Who labels: asked once, kept in this browser.

import { useState } from "preact/hooks";
import { kept } from "../state/settings";
import { useLabelWords } from "./words";

export function Person({ onName }: { onName: (name: string) => void }) {
  const label = useLabelWords();
  const [name, setName] = useState(() => kept("labeller") ?? "");
  return (
    <form
      class="label-person"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) onName(name.trim());
      }}
    >
      <h1>{label.title}</h1>
      <label>
        <span>{label.who}</span>
        <input type="text" value={name} maxLength={80} autoFocus required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <p class="note">{label.whoHint}</p>
      <button type="submit" class="main" disabled={!name.trim()}>
        {label.start}
      </button>
    </form>
  );
}
