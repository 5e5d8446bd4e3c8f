// The stream of events of the server: which runs go on, and how far each is. The browser connects
// again by itself, with the cursor of the last event.

import type { LiveRun, LiveRuns } from "../api";

const AGAIN_MS = 3000;

export interface LiveState {
  readonly runs: ReadonlyMap<string, LiveRun>;
  /** Whether the server answers; `null` before its first answer. */
  readonly isConnected: boolean | null;
}

export const NOTHING: LiveState = { runs: new Map(), isConnected: null };

/** What the state is after an event about which runs go on: a run that does not is not shown live. */
export function withLive(state: LiveState, live: readonly string[]): LiveState {
  const runs = new Map([...state.runs].filter(([run]) => live.includes(run)));
  return { runs, isConnected: true };
}

/** What the state is after a run told how far it is. */
export function withProgress(state: LiveState, run: LiveRun): LiveState {
  const runs = new Map(state.runs);
  if (run.is_running) runs.set(run.run, run);
  else runs.delete(run.run);
  return { runs, isConnected: true };
}

/** Listens to the server until the returned function is called. */
export function listen(onState: (next: (state: LiveState) => LiveState) => void, onRuns: () => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let live = "";
  const connect = (): void => {
    source = new EventSource("api/v1/events");
    source.addEventListener("runs", (event) => {
      const { runs } = JSON.parse((event as MessageEvent<string>).data) as LiveRuns;
      onState((state) => withLive(state, runs));
      if (live !== runs.join("\n") || live === "") onRuns();
      live = runs.join("\n");
    });
    source.addEventListener("progress", (event) => {
      const run = JSON.parse((event as MessageEvent<string>).data) as LiveRun;
      onState((state) => withProgress(state, run));
      if (!run.is_running) onRuns();
    });
    source.onerror = () => {
      onState((state) => ({ ...state, isConnected: false }));
      if (source?.readyState !== EventSource.CLOSED) return; // it connects again by itself
      clearTimeout(timer);
      timer = setTimeout(connect, AGAIN_MS);
    };
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
