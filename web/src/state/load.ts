// Data that a view asks for. A newer request cancels the older one; what was there stays until the
// new data comes, so nothing jumps.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { errorOf } from "../source/source";

export interface Loaded<T> {
  readonly data: T | null;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly again: () => void;
}

interface State<T> {
  readonly key: string;
  readonly data: T | null;
  readonly error: Error | null;
}

/** What `ask` answers; asked again when `key` changes. An empty key asks for nothing. */
export function useLoad<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key: "", data: null, error: null });
  const [turn, setTurn] = useState(0);
  const asked = useRef(ask);
  asked.current = ask;
  useEffect(() => {
    if (!key) return;
    const abort = new AbortController();
    asked.current(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setState({ key, data, error: null });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState({ key, data: null, error: errorOf(error) });
      },
    );
    return () => abort.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((number) => number + 1), []);
  const isCurrent = state.key === key;
  return { data: state.data, error: isCurrent ? state.error : null, isLoading: !isCurrent, again };
}
