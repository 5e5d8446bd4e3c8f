// One answer; against another one with the words that differ marked.

import type { AnswerView, RunView } from "../api";
import { codePoints } from "../text/stretch";
import { t } from "../words";
import { Difference } from "./Difference";
import { PlainText } from "./PlainText";
import { RestOfText } from "./RestOfText";
import { Sign, signOf } from "./Sign";

interface Props {
  readonly run: RunView;
  readonly item: string;
  readonly answer: AnswerView;
  readonly against: AnswerView | undefined;
}

export function AnswerColumn({ run, item, answer, against }: Props) {
  return (
    <div class="answer">
      <h2>
        <PlainText text={answer.variant} />
        {answer.variant === run.baseline && run.variants.length > 1 && <span class="tag">{t("baseline")}</span>}
        <Sign name={signOf(answer)} />
      </h2>
      <AnswerText answer={answer} against={against} />
      {answer.is_cut && <RestOfText place={{ run: run.card.id, item, variant: answer.variant, field: "answer" }} from={codePoints(answer.answer ?? "")} />}
      {answer.error !== null && (
        <p class="error">
          <strong>
            <span aria-hidden="true">✗</span> {t("Error")}
          </strong>{" "}
          <PlainText text={answer.error} />
        </p>
      )}
    </div>
  );
}

function AnswerText({ answer, against }: { answer: AnswerView; against: AnswerView | undefined }) {
  if (answer.answer === null) return <p class="empty">{t("No answer.")}</p>;
  if (answer.answer.trim() === "") return <p class="empty">{t("The answer is empty.")}</p>;
  if (!against?.answer) return <PlainAnswer text={answer.answer} />;
  if (against.answer === answer.answer)
    return (
      <>
        <PlainAnswer text={answer.answer} />
        <p class="note">{t("The same answer as {baseline}.", { baseline: against.variant })}</p>
      </>
    );
  return <Difference before={against.answer} after={answer.answer} name={against.variant} />;
}

function PlainAnswer({ text }: { text: string }) {
  return (
    <div class="text">
      <PlainText text={text} />
    </div>
  );
}
