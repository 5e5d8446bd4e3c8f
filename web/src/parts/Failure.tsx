// Why something is not shown, and what to do about it.

import { useSettings } from "../state/settings";
import { SourceError } from "../source/source";
import { fill, type Words } from "../words";
import { PlainText } from "./PlainText";

export function Failure({ error, again }: { error: Error; again?: () => void }) {
  const { words } = useSettings();
  return (
    <div class="failure" role="alert">
      <p class="lead">
        <span aria-hidden="true">✗</span> {words.problems.title}
      </p>
      <p>
        <PlainText text={reasonOf(error, words)} />
      </p>
      {again && (
        <button type="button" onClick={again}>
          {words.problems.again}
        </button>
      )}
    </div>
  );
}

/** Why something failed, in the words of the page. */
export function reasonOf(error: Error, words: Words): string {
  if (!(error instanceof SourceError)) return error.message;
  switch (error.kind) {
    case "offline":
      return words.problems.offline;
    case "denied":
      return words.problems.denied;
    case "no key":
      return words.problems.noKey;
    case "unpacked":
      return words.problems.noCompression;
    case "broken":
      return words.problems.broken;
    case "no row":
      return words.problems.noRow;
    case "lost":
      return words.problems.lost;
    case "static":
      return words.compare.static;
    case "slow regex":
      return words.problems.slowRegex;
    case "no worker":
      return words.problems.noWorker;
    case "regex":
      return fill(words.problems.regex, { reason: error.message });
    default:
      return error.message;
  }
}
