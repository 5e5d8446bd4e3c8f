// An action of a button: while it works, what went wrong.

import { useState } from "preact/hooks";
import { errorOf } from "../source/source";

export interface Action {
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Does it; a second click while it works does nothing. */
  readonly run: (work: () => Promise<void>) => void;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const run = (work: () => Promise<void>): void => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    work()
      .catch((reason: unknown) => setError(errorOf(reason)))
      .finally(() => setBusy(false));
  };
  return { isBusy, error, run };
}
