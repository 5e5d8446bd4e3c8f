// What a first-time visitor sees: what to type.

import { useConfigureWords } from "../configure/words";
import { useDraftWords } from "../draft/words";
import { formatRoute } from "../route";
import { useSettings } from "../state/settings";
import { CopyLine } from "./CopyLine";

export function NoRuns({ canStart, hasDrafts }: { canStart: boolean; hasDrafts: boolean }) {
  const { words } = useSettings();
  const configure = useConfigureWords();
  const drafts = useDraftWords();
  const steps: [string, string][] = [
    ["assay init .", words.runs.emptyInit],
    ["assay ablate -e hyde --limit 10", words.runs.emptyAblate],
    ["assay bench --sample", words.runs.emptyBench],
  ];
  return (
    <div class="no-runs">
      <h1>{words.runs.emptyTitle}</h1>
      <p>{words.runs.emptyText}</p>
      {canStart && (
        <p>
          <a class="button main" href={formatRoute({ screen: "start", job: "", experiment: "" })}>
            {words.live.startNew}
          </a>{" "}
          <a class="button" href={formatRoute({ screen: "configure", experiment: "" })}>
            {configure.title}
          </a>
          {hasDrafts && (
            <>
              {" "}
              <a class="button" href={formatRoute({ screen: "drafts", name: "", item: null })}>
                {drafts.title}
              </a>
            </>
          )}
        </p>
      )}
      <ul>
        {steps.map(([command, meaning]) => (
          <li key={command}>
            <CopyLine command={command} />
            <p class="note">{meaning}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
