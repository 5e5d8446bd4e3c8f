// Why something is not shown, and what to do about it.

import { SourceError } from "../source/source";
import { show, t } from "../words";
import { PlainText } from "./PlainText";

export function Failure({ error, again }: { error: Error; again?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p class="lead">
        <span aria-hidden="true">✗</span> {t("This did not work.")}
      </p>
      <p>
        <PlainText text={reasonOf(error)} />
      </p>
      {again && (
        <button type="button" onClick={again}>
          {t("Try again")}
        </button>
      )}
    </div>
  );
}

/** Why something failed, in the words of the page. */
export function reasonOf(error: Error): string {
  if (!(error instanceof SourceError)) return error.message;
  switch (error.kind) {
    case "offline":
      return t("The server does not answer. Is `assay view` still running?");
    case "denied":
      return t("The server does not know this browser. Open the address that `assay view` printed.");
    case "no key":
      return t("This browser may only read. To change something, open the address that `assay view` printed again, or enter the password again at `/login`.");
    case "unpacked":
      return t("This browser cannot unpack the data in this file. A browser of 2023 or later can.");
    case "broken":
      return t("The data in this file is incomplete. Write the file again.");
    case "no row":
      return t("Recorded rows are not in a saved page. `assay view` shows them.");
    case "lost":
      return t("There is no such page.");
    case "static":
      return t("A saved page cannot compare runs that were not compared when it was written.");
    case "slow regex":
      return t("This expression takes too long on these texts, so the search was ended after 2 seconds. Write it without repetitions inside repetitions, such as (a+)+.");
    case "no worker":
      return t("This browser does not allow regular expressions in a saved page. Search without them, or use `assay view`.");
    case "regex":
      return t("This is not a regular expression: {reason}", { reason: error.message });
    default:
      return show(error.said);
  }
}
