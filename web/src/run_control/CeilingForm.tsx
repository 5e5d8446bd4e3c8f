// Another ceiling for a run. A run that goes on is stopped and goes on with it; nothing is lost.

import { useState } from "preact/hooks";
import type { LiveRun } from "../api";
import { t } from "../words";

interface Props {
  readonly live: LiveRun | null;
  readonly isBusy: boolean;
  readonly onRaise: (amount: number) => void;
}

export function CeilingForm({ live, isBusy, onRaise }: Props) {
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
        {t("Cost at most, with what was spent before")}
        <input type="number" min="0" step="any" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main" disabled={!isRight || isBusy}>
        {isBusy ? t("Starting…") : live ? t("Go on with it") : t("Go on")}
      </button>
      {live && <p class="note">{t("The run is stopped and goes on with the new ceiling. Nothing is lost.")}</p>}
    </form>
  );
}
