// Who reviews: asked once, kept in this browser, the same name as for labels.

import { useState } from "preact/hooks";
import { kept } from "../state/settings";
import { useDraftWords } from "./words";

export function Reviewer({ onName }: { onName: (name: string) => void }) {
  const say = useDraftWords();
  const [name, setName] = useState(() => kept("labeller") ?? "");
  return (
    <form
      class="label-person"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) onName(name.trim());
      }}
    >
      <h1>{say.title}</h1>
      <label>
        <span>{say.who}</span>
        <input type="text" value={name} maxLength={80} autoFocus required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <p class="note">{say.whoHint}</p>
      <button type="submit" class="main" disabled={!name.trim()}>
        {say.start}
      </button>
    </form>
  );
}
