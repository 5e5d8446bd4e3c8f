// The passages of an answer in order: gold with a filled mark, cited with its number, both with both.

import type { AnswerView, PassageView, RunView } from "../api";
import { useSettings } from "../state/settings";
import { codePoints } from "../text/stretch";
import { significant } from "../text/number";
import { t } from "../words";
import { MarkedText } from "./MarkedText";
import { PlainText } from "./PlainText";
import { RestOfText } from "./RestOfText";

interface Props {
  readonly run: RunView;
  readonly item: string;
  readonly answer: AnswerView;
  readonly isOnly: boolean;
}

export function Passages({ run, item, answer, isOnly }: Props) {
  const title = isOnly ? t("Passages") : t("Passages of {variant}", { variant: answer.variant });
  const { passages } = answer;
  return (
    <section class="passages" aria-label={title}>
      <h2>
        <PlainText text={title} />
      </h2>
      {passages === null ? (
        <p class="empty">{t("The system did not say which passages it used.")}</p>
      ) : passages.length === 0 ? (
        <p class="empty">{t("No passage was found.")}</p>
      ) : (
        <ol>
          {passages.some(({ text }) => text === null) && <li class="note">{t("Passages whose text was not recorded have their id only.")}</li>}
          {passages.map((passage) => (
            <Passage key={passage.number} passage={passage} run={run.card.id} item={item} variant={answer.variant} />
          ))}
        </ol>
      )}
    </section>
  );
}

interface PassageProps {
  readonly passage: PassageView;
  readonly run: string;
  readonly item: string;
  readonly variant: string;
}

function Passage({ passage, run, item, variant }: PassageProps) {
  const { language } = useSettings();
  const facts = [
    passage.page === null ? "" : t("p. {n}", { n: passage.page }),
    passage.rank === null ? "" : t("rank {n}", { n: passage.rank }),
    passage.score === null ? "" : t("score {n}", { n: significant(passage.score, language) }),
  ];
  return (
    <li class={`passage ${passage.is_gold ? "gold" : ""} ${passage.is_cited ? "cited" : ""}`}>
      <p class="passage-head">
        <span class={passage.is_cited ? "citation" : "faint"}>[{passage.number}]</span>
        {passage.is_gold && (
          <span class="gold-mark">
            <span aria-hidden="true">◆</span> {t("gold")}
          </span>
        )}
        {passage.is_cited && <span class="cited-mark">{t("cited")}</span>}
        <span class="faint number">{facts.filter(Boolean).join(" · ")}</span>
        {passage.text === null && (
          <code class="faint" title={t("The text was not recorded.")}>
            <PlainText text={passage.id} />
          </code>
        )}
      </p>
      {passage.text !== null && (
        <div class="text" title={passage.id}>
          <MarkedText text={passage.text} spans={passage.spans} />
        </div>
      )}
      {passage.is_cut && <RestOfText place={{ run, item, variant, field: `passage:${passage.number}` }} from={codePoints(passage.text ?? "")} />}
    </li>
  );
}
