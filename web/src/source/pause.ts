// Long work in short turns: the page can react between them.

const TURN_MS = 12;

/** Lets the browser do what waits. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Calls `visit` for 0 to `length` − 1 in turns of some milliseconds, until it is cancelled. */
export async function inTurns(length: number, signal: AbortSignal, visit: (index: number) => void): Promise<void> {
  let started = performance.now();
  for (let index = 0; index < length; index++) {
    visit(index);
    if (index % 64 === 63 && performance.now() - started > TURN_MS) {
      await pause();
      signal.throwIfAborted();
      started = performance.now();
    }
  }
}
