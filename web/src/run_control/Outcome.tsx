// A command that was started from the page: the command itself, and what it printed.

import type { Started } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { fill } from "../words";

/** `isDry` is given by the form, which shows the command itself. */
export function Outcome({ started, isDry }: { started: Started; isDry?: boolean }) {
  const { words } = useSettings();
  const isRefused = started.state === "ended" && started.code !== 0;
  const said = isRefused
    ? fill(words.control.refused, { code: started.code ?? "?" })
    : isDry
      ? words.control.estimated
      : words.control[started.state];
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
