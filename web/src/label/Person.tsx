// Who labels or reviews: asked once, kept in this browser.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { keep, kept } from "../state/settings";

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

type Words = { title: string; who: string; whoHint: string; start: string };

export function Person({ words, onName }: { words: Words; onName: (name: string) => void }) {
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
      <h1>{words.title}</h1>
      <label>
        <span>{words.who}</span>
        <input ref={field} type="text" value={name} maxLength={80} required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <p class="note">{words.whoHint}</p>
      <button type="submit" class="main" disabled={!name.trim()}>
        {words.start}
      </button>
    </form>
  );
}
