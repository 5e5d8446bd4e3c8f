// The runs that go on, for every component.

import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { LiveRun } from "../api";
import { listen, type LiveState, NOTHING } from "./stream";

const Context = createContext<LiveState>(NOTHING);

interface Props {
  /** Whether there is a server to listen to. */
  readonly isServed: boolean;
  /** Called when a run begins or ends. */
  readonly onRuns: () => void;
  readonly children: ComponentChildren;
}

export function LiveProvider({ isServed, onRuns, children }: Props) {
  const [state, setState] = useState<LiveState>(NOTHING);
  const changed = useRef(onRuns);
  changed.current = onRuns;
  useEffect(() => {
    if (!isServed) return;
    return listen(setState, () => changed.current());
  }, [isServed]);
  return <Context.Provider value={state}>{children}</Context.Provider>;
}

/** All runs that go on, and whether the server answers. */
export function useLive(): LiveState {
  return useContext(Context);
}

/** A run, if it goes on. */
export function useLiveRun(run: string): LiveRun | null {
  return useLive().runs.get(run) ?? null;
}
