// A command that was started from the page: the command itself, and what it printed.

import type { Started } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { PlainText } from "../parts/PlainText";
import { t } from "../words";

function stateOf({ state }: Started): string {
  return { starting: t("Starting…"), running: t("It runs."), ended: t("It has ended.") }[state];
}

/** `isDry` is given by the form, which shows the command itself. */
export function Outcome({ started, isDry }: { started: Started; isDry?: boolean }) {
  const isRefused = started.state === "ended" && started.code !== 0;
  const said = isRefused
    ? t("It did not start (exit code {code}).", { code: started.code ?? "?" })
    : isDry
      ? t("Nothing was asked. The estimate:")
      : stateOf(started);
  return (
    <div class={`outcome ${isRefused ? "refused" : ""}`} role="status">
      <p class="lead">
        {isRefused && <span aria-hidden="true">✗ </span>}
        {said}
      </p>
      {started.output && (
        <pre class="raw" tabIndex={0}>
          <PlainText text={started.output} />
        </pre>
      )}
      {isDry === undefined && <CopyLine command={started.command} />}
    </div>
  );
}
