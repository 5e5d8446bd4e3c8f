// Changes one after the other, so that a quick second key never overtakes the first.

import { useRef, useState } from "preact/hooks";
import { errorOf } from "../source/source";

export interface Queue {
  /** Whether a change has not ended yet. */
  readonly isSaving: boolean;
  readonly problem: Error | null;
  readonly setProblem: (problem: Error | null) => void;
  /** Does something after all changes; an error of it becomes the problem. */
  readonly after: (act: () => Promise<unknown>) => void;
  /** Changes something; success clears the problem. */
  readonly change: (act: () => Promise<unknown>) => void;
}

export function useQueue(): Queue {
  const [waiting, setWaiting] = useState(0);
  const [problem, setProblem] = useState<Error | null>(null);
  const work = useRef<Promise<unknown>>(Promise.resolve());
  const after = (act: () => Promise<unknown>): void => {
    work.current = work.current.then(act).catch((error: unknown) => setProblem(errorOf(error)));
  };
  const change = (act: () => Promise<unknown>): void => {
    setWaiting((number) => number + 1);
    after(async () => {
      try {
        await act();
        setProblem(null);
      } finally {
        setWaiting((number) => number - 1);
      }
    });
  };
  return { isSaving: waiting > 0, problem, setProblem, after, change };
}
