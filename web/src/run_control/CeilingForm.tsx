// Another ceiling for a run. A run that goes on is stopped and goes on with it; nothing is lost.

import { useState } from "preact/hooks";
import type { LiveRun } from "../api";
import { useSettings } from "../state/settings";

interface Props {
  readonly live: LiveRun | null;
  readonly isBusy: boolean;
  readonly onRaise: (amount: number) => void;
}

export function CeilingForm({ live, isBusy, onRaise }: Props) {
  const { words } = useSettings();
  const [text, setText] = useState(live?.ceiling ? String(live.ceiling * 2) : "");
  const amount = Number(text);
  const isRight = text.trim() !== "" && Number.isFinite(amount) && amount > 0;
  const send = (event: Event): void => {
    event.preventDefault();
    if (isRight) onRaise(amount);
  };
  return (
    <form class="ceiling-form" onSubmit={send}>
      <label class="field">
        {words.control.newCeiling}
        <input type="number" min="0" step="any" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main" disabled={!isRight || isBusy}>
        {isBusy ? words.control.starting : live ? words.control.raise : words.control.resume}
      </button>
      {live && <p class="note">{words.control.raiseNote}</p>}
    </form>
  );
}
