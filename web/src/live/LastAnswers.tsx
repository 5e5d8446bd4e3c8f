// The last answers of a run that goes on, the newest first.

import type { LiveAnswer, LiveRun } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { MISSING } from "../look";
import { metricValue } from "../text/number";
import { oneLine } from "../text/visible";
import { show, t } from "../words";
import { endWord } from "../words/named";

const SIGNS: Record<string, string> = { scored: "✓", failed: "✗", skipped: "»", answered: "…" };

export function LastAnswers({ run }: { run: LiveRun }) {
  if (!run.last.length) return null;
  return (
    <div class="last-answers">
      <h2>{t("Last answers")}</h2>
      {run.metric && run.last.some(({ value }) => value !== null) && <p class="note">{t("The number on the right is {metric}.", { metric: show(run.metric) })}</p>}
      <ol>
        {run.last.map((answer) => (
          <Answer key={`${answer.variant}\n${answer.question_id}`} answer={answer} kind={run.kind} />
        ))}
      </ol>
    </div>
  );
}

function Answer({ answer, kind }: { answer: LiveAnswer; kind: string }) {
  const { language } = useSettings();
  const status = endWord(answer.status);
  const value = metricValue(answer.value, { kind, unit: "" }, language);
  return (
    <li class={answer.status}>
      <span class="sign" title={status}>
        <span aria-hidden="true">{SIGNS[answer.status] ?? "·"}</span>
        <span class="unseen">{status}</span>
      </span>
      <span class="asked">
        <PlainText text={oneLine(answer.question || answer.question_id)} />
      </span>
      <span class="variant">
        <PlainText text={answer.variant} />
      </span>
      <span class="said">
        <PlainText text={oneLine(answer.answer) || "∅"} />
      </span>
      <span class="number score">{value === MISSING ? "" : value}</span>
    </li>
  );
}
