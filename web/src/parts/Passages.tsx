// The passages of an answer in order: gold with a filled mark, cited with its number, both with both.

import type { AnswerView, PassageView, RunView } from "../api";
import { useSettings } from "../state/settings";
import { codePoints } from "../text/stretch";
import { significant } from "../text/number";
import { fill } from "../words";
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
  const { words } = useSettings();
  const title = isOnly ? words.question.passages : fill(words.question.passagesOf, { variant: answer.variant });
  const { passages } = answer;
  return (
    <section class="passages" aria-label={title}>
      <h2>
        <PlainText text={title} />
      </h2>
      {passages === null ? (
        <p class="empty">{words.question.noPassages}</p>
      ) : passages.length === 0 ? (
        <p class="empty">{words.question.zeroPassages}</p>
      ) : (
        <ol>
          {passages.some(({ text }) => text === null) && <li class="note">{words.question.onlyCited}</li>}
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
  const { language, words } = useSettings();
  const facts = [
    passage.page === null ? "" : fill(words.question.page, { n: passage.page }),
    passage.rank === null ? "" : fill(words.question.rank, { n: passage.rank }),
    passage.score === null ? "" : fill(words.question.score, { n: significant(passage.score, language) }),
  ];
  return (
    <li class={`passage ${passage.is_gold ? "gold" : ""} ${passage.is_cited ? "cited" : ""}`}>
      <p class="passage-head">
        <span class={passage.is_cited ? "citation" : "faint"}>[{passage.number}]</span>
        {passage.is_gold && (
          <span class="gold-mark">
            <span aria-hidden="true">◆</span> {words.question.passageGold}
          </span>
        )}
        {passage.is_cited && <span class="cited-mark">{words.question.passageCited}</span>}
        <span class="faint number">{facts.filter(Boolean).join(" · ")}</span>
        {passage.text === null && (
          <code class="faint" title={words.question.noText}>
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
