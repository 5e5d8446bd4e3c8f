// What a first-time visitor sees: what to type.

import { formatRoute } from "../route";
import { CopyLine } from "./CopyLine";
import { t } from "../words";

export function NoRuns({ canStart, hasDrafts }: { canStart: boolean; hasDrafts: boolean }) {
  const steps: [string, string][] = [
    ["assay init .", t("Makes this folder a workspace with sample documents, questions and experiments")],
    ["assay ablate -e hyde --limit 10", t("Compares two variants of the sample system on ten questions, offline, in seconds")],
    ["assay bench --sample", t("Asks a benchmark of 81 questions about contracts, offline, in seconds")],
  ];
  return (
    <div class="no-runs">
      <h1>{t("There are no runs here yet.")}</h1>
      <p>{t("Type these in a terminal, in the folder of this page; it shows the run while it goes on.")}</p>
      {canStart && (
        <p>
          <a class="button main" href={formatRoute({ screen: "start", job: "", experiment: "" })}>
            {t("New run")}
          </a>{" "}
          <a class="button" href={formatRoute({ screen: "configure", experiment: "" })}>
            {t("Set up an experiment")}
          </a>
          {hasDrafts && (
            <>
              {" "}
              <a class="button" href={formatRoute({ screen: "drafts", name: "", item: null })}>
                {t("Review drafts")}
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
