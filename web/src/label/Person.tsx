// Who labels or reviews: asked once, kept in this browser.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { keep, kept } from "../state/settings";
import { t } from "../words";

const NAME = "labeller";

/** The name of who labels or reviews; empty if it is to be asked for. */
export function usePerson(): [name: string, setName: (name: string) => void] {
  const [name, setName] = useState(() => kept(NAME) ?? "");
  const choose = (chosen: string): void => {
    if (chosen) keep(NAME, chosen);
    setName(chosen);
  };
  return [name, choose];
}

export function Person({ title, hint, onName }: { title: string; hint: string; onName: (name: string) => void }) {
  const [name, setName] = useState(() => kept(NAME) ?? "");
  const field = useRef<HTMLInputElement>(null);
  // the attribute autofocus does nothing once any part of the page has had the focus
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="label-person"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) onName(name.trim());
      }}
    >
      <h1>{title}</h1>
      <label>
        <span>{t("Your name")}</span>
        <input ref={field} type="text" value={name} maxLength={80} required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <p class="note">{hint}</p>
      <button type="submit" class="main" disabled={!name.trim()}>
        {t("Start")}
      </button>
    </form>
  );
}
