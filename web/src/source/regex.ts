// Regular expressions in a saved page. They are those of the browser, some of which never end on
// some texts; so they are tried in a worker, which is ended after a while.

import { errorOf, SourceError } from "./source";

/** For each list of texts, whether one of them matches. */
export type Search = (pattern: string, texts: readonly (readonly string[])[], signal: AbortSignal) => Promise<boolean[]>;

const LONGEST_MS = 2000;
const CODE = `onmessage = ({ data: { pattern, texts } }) => {
  const wanted = new RegExp(pattern, "iu");
  postMessage(texts.map((list) => list.some((text) => wanted.test(text))));
};`;

/** Searches in a worker of its own; ends it after two seconds, or when nobody waits any more. */
export const workerSearch: Search = async (pattern, texts, signal) => {
  checked(pattern);
  const address = URL.createObjectURL(new Blob([CODE], { type: "text/javascript" }));
  const worker = started(address);
  let timer = 0;
  try {
    return await new Promise<boolean[]>((resolve, reject) => {
      timer = window.setTimeout(() => reject(new SourceError("", "slow regex")), LONGEST_MS);
      worker.onmessage = ({ data }) => resolve(data as boolean[]);
      worker.onerror = () => reject(new SourceError("", "no worker"));
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      worker.postMessage({ pattern, texts });
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
    URL.revokeObjectURL(address);
  }
};

/** Says what is wrong with an expression; making it takes no time, only trying it may. */
export function checked(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "iu");
  } catch (error) {
    throw new SourceError(errorOf(error).message, "regex");
  }
}

function started(address: string): Worker {
  try {
    return new Worker(address);
  } catch {
    URL.revokeObjectURL(address);
    throw new SourceError("", "no worker");
  }
}
