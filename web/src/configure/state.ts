// The text, the form, and what the server says about both. Whichever was edited last leads.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Checked, Draft, NewSystem } from "../api";
import { errorOf } from "../source/source";
import { check, save } from "./call";

const PAUSE_MS = 500;

export interface Editing {
  readonly text: string;
  readonly draft: Draft;
  readonly checked: Checked | null;
  readonly isChecking: boolean;
  readonly isSaved: boolean;
  readonly error: Error | null;
  readonly editText: (text: string) => void;
  readonly editDraft: (change: Partial<Draft>) => void;
  readonly choose: (experiment: string) => void;
  readonly addSystem: (system: NewSystem) => void;
  readonly save: () => void;
}

export const EMPTY: Draft = {
  name: "",
  description: "",
  system: "",
  questions_path: "",
  baseline: "normal",
  design: "single",
  variables: [],
  primary: "",
  question_limit: null,
  top_k: null,
  has_variants: false,
};

interface Wanted {
  readonly text: string;
  readonly experiment: string;
  readonly draft: Draft | null;
  readonly system: NewSystem | null;
}

export function useEditing(first: { text: string; version: string }, experiment: string): Editing {
  const [text, setText] = useState(first.text);
  const [draft, setDraft] = useState<Draft>({ ...EMPTY });
  const [checked, setChecked] = useState<Checked | null>(null);
  const [waiting, setWaiting] = useState(true);
  const [error, setError] = useState<Error | null>(null);
  const [disk, setDisk] = useState(first);
  const name = useRef(experiment); // the experiment of the text that the form stands for
  const turn = useRef(0);
  const timer = useRef(0);

  const request = (wanted: Wanted, pause: number): void => {
    const mine = ++turn.current;
    setWaiting(true);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      check(wanted).then(
        (found) => {
          if (mine !== turn.current) return; // something was edited meanwhile
          setChecked(found);
          setError(null);
          setWaiting(false);
          setText(found.text);
          if (found.experiments.includes(found.experiment)) name.current = found.experiment;
          if (!wanted.draft && found.draft) setDraft(found.draft);
        },
        (reason: unknown) => {
          if (mine !== turn.current) return;
          setWaiting(false);
          setError(errorOf(reason));
        },
      );
    }, pause);
  };
  useEffect(() => {
    request({ text, experiment, draft: null, system: null }, 0);
    return () => clearTimeout(timer.current);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the first question; each edit asks its own
  }, []);
  return {
    text,
    draft,
    checked,
    isChecking: waiting,
    isSaved: text === disk.text,
    error,
    editText: (changed) => {
      setText(changed);
      request({ text: changed, experiment: name.current, draft: null, system: null }, PAUSE_MS);
    },
    editDraft: (change) => {
      const changed = { ...draft, ...change };
      setDraft(changed);
      if (changed.name.trim()) request({ text, experiment: name.current, draft: changed, system: null }, PAUSE_MS);
    },
    choose: (chosen) => {
      name.current = chosen;
      if (chosen) request({ text, experiment: chosen, draft: null, system: null }, 0);
      else setDraft({ ...EMPTY });
    },
    addSystem: (system) => request({ text, experiment: name.current, draft: draft.name ? { ...draft, system: system.name } : null, system }, 0),
    save: () => {
      save({ text, version: disk.version }).then(
        (written) => {
          setDisk(written);
          setError(null);
        },
        (reason: unknown) => setError(errorOf(reason)),
      );
    },
  };
}
