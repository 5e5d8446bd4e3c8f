// What the judges said about one answer.

import type { AnswerView, VerdictView } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { metricValue } from "../text/number";
import { t, tx } from "../words";
import { labelWord } from "../words/named";

const SHARE = { kind: "share", unit: "" };

export function Verdicts({ answer }: { answer: AnswerView }) {
  if (!answer.verdicts.length) return null;
  return (
    <section class="verdicts">
      <h2>{t("Judges")}</h2>
      {answer.verdicts.map((verdict, at) => (
        <Verdict key={at} verdict={verdict} />
      ))}
    </section>
  );
}

/** The word of a rubric's scale; words of a person's own rubric stay as they are. */
function scaleWord(label: string): string {
  const words: Readonly<Record<string, string>> = {
    right: t("right"),
    wrong: t("wrong"),
    faithful: t("faithful"),
    unfaithful: t("not faithful"),
    supported: t("supported"),
    unsupported: t("not supported"),
    "no claims": t("no claims"),
    relevant: t("relevant"),
    irrelevant: t("not relevant"),
    abstains: t("abstains"),
    answers: tx("verdict", "answers"),
  };
  return words[label] ?? label;
}

function statusWord(status: string): string {
  const words: Readonly<Record<string, string>> = { supported: t("supported"), contradicted: t("contradicted"), absent: t("not there") };
  return words[status] ?? status;
}

function Verdict({ verdict }: { verdict: VerdictView }) {
  const { language } = useSettings();
  const word = verdict.unparsed ? t("could not be read: {reason}", { reason: verdict.unparsed }) : scaleWord(verdict.label);
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
        {verdict.is_repaired && <span class="tag">{t("readable at the second attempt")}</span>}
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
          <summary>{t("Reply")}</summary>
          <div class="text">
            <PlainText text={verdict.reply} />
          </div>
        </details>
      )}
      <details class="judge-identity">
        <summary>{t("Identity: rubric and prompts by hash, model, parameters")}</summary>
        <code>
          <PlainText text={verdict.identity} />
        </code>
      </details>
    </div>
  );
}

/** What people said, and who says the opposite. */
function Opposed({ verdict }: { verdict: VerdictView }) {
  const people = verdict.people === null ? "" : labelWord(verdict.people > 0.75 ? "right" : verdict.people < 0.25 ? "wrong" : "partly");
  const opposed = [
    verdict.against_people ? t("people say the opposite") : "",
    verdict.against_judges.length ? t("{names}: the opposite", { names: verdict.against_judges.join(", ") }) : "",
  ].filter(Boolean);
  if (!people && !opposed.length) return null;
  return (
    <p class="judge-opposed">
      {people && (
        <span>
          {t("People")}: <strong>{people}</strong>
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
  return (
    <>
      <h3>{t("Claims")}</h3>
      <ul class="claims">
        {verdict.claims.map(({ claim, status, passage }, at) => (
          <li key={at}>
            <span class={`claim ${status}`}>
              <span aria-hidden="true">{status === "supported" ? "✓" : status === "contradicted" ? "✗" : "?"}</span> {statusWord(status)}
              {passage !== null && `, ${t("passage {n}", { n: passage })}`}
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
