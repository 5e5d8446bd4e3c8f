// An action of a button: while it works, what went wrong.

import { useState } from "preact/hooks";

export interface Action {
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Does it; a second click while it works does nothing. */
  run(work: () => Promise<void>): void;
  clear(): void;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const run = (work: () => Promise<void>): void => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    work()
      .catch((reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))))
      .finally(() => setBusy(false));
  };
  return { isBusy, error, run, clear: () => setError(null) };
}
