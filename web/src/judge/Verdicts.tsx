// What the judges said about one answer.

import type { AnswerView, VerdictView } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { metricValue } from "../text/number";
import { fill } from "../words";
import { LABEL_WORDS } from "../label/words";
import { useJudgeWords, verdictWord } from "./words";

const SHARE = { kind: "share", unit: "" };

export function Verdicts({ answer }: { answer: AnswerView }) {
  const words = useJudgeWords();
  if (!answer.verdicts.length) return null;
  return (
    <section class="verdicts">
      <h2>{words.verdicts}</h2>
      {answer.verdicts.map((verdict, at) => (
        <Verdict key={at} verdict={verdict} />
      ))}
    </section>
  );
}

function Verdict({ verdict }: { verdict: VerdictView }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  const word = verdict.unparsed ? fill(words.unread, { reason: verdict.unparsed }) : verdictWord(verdict.label, words);
  return (
    <div class="judge-verdict">
      <p>
        <strong>
          <PlainText text={`judge.${verdict.judge}`} />
        </strong>{" "}
        <span class={`verdict-word ${verdict.unparsed ? "unclear" : toneOf(verdict)}`}>
          <PlainText text={word} />
        </span>{" "}
        {verdict.score !== null && <span class="number faint">{metricValue(verdict.score, SHARE, language)}</span>}
        {verdict.is_repaired && <span class="tag">{words.repaired}</span>}
      </p>
      {verdict.reason && (
        <p class="judge-reason">
          <PlainText text={verdict.reason} />
        </p>
      )}
      <Opposed verdict={verdict} />
      {verdict.claims.length > 0 && <Claims verdict={verdict} />}
      {verdict.reply && (
        <details>
          <summary>{words.reply}</summary>
          <div class="text">
            <PlainText text={verdict.reply} />
          </div>
        </details>
      )}
      <details class="judge-identity">
        <summary>{words.identity}</summary>
        <code>
          <PlainText text={verdict.identity} />
        </code>
      </details>
    </div>
  );
}

/** What people said, and who says the opposite. */
function Opposed({ verdict }: { verdict: VerdictView }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  const labels = LABEL_WORDS[language].verdicts;
  const people = verdict.people === null ? "" : labels[verdict.people > 0.75 ? "right" : verdict.people < 0.25 ? "wrong" : "partly"];
  const opposed = [
    verdict.against_people ? words.opposite : "",
    verdict.against_judges.length ? fill(words.oppositeJudges, { names: verdict.against_judges.join(", ") }) : "",
  ].filter(Boolean);
  if (!people && !opposed.length) return null;
  return (
    <p class="judge-opposed">
      {people && (
        <span>
          {words.people}: <strong>{people}</strong>
        </span>
      )}
      {opposed.map((text, at) => (
        <span key={at} class="opposite">
          <span aria-hidden="true">≠ </span>
          <PlainText text={text} />
        </span>
      ))}
    </p>
  );
}

function Claims({ verdict }: { verdict: VerdictView }) {
  const words = useJudgeWords();
  return (
    <>
      <h3>{words.claims}</h3>
      <ul class="claims">
        {verdict.claims.map(({ claim, status, passage }, at) => (
          <li key={at}>
            <span class={`claim ${status}`}>
              <span aria-hidden="true">{status === "supported" ? "✓" : status === "contradicted" ? "✗" : "?"}</span> {words.statuses[status] ?? status}
              {passage !== null && `, ${fill(words.passage, { n: passage })}`}
            </span>{" "}
            <PlainText text={claim} />
          </li>
        ))}
      </ul>
    </>
  );
}

function toneOf({ score }: VerdictView): string {
  return score === null ? "unclear" : score >= 0.75 ? "right" : score < 0.5 ? "wrong" : "partly";
}
