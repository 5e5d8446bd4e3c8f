// The variants of a question with their values; keys 1 to 9 choose one.

import type { AnswerView } from "../api";
import { useSettings } from "../state/settings";
import { significant, UNDEFINED } from "../text/number";
import { PlainText } from "./PlainText";
import { Sign, signOf } from "./Sign";

interface Props {
  readonly answers: readonly AnswerView[];
  readonly chosen: string;
  readonly baseline: string;
  readonly onChoose: (variant: string) => void;
  readonly isAll: boolean;
  readonly onAll: (isAll: boolean) => void;
}

export function VariantPicker({ answers, chosen, baseline, onChoose, isAll, onAll }: Props) {
  const { language, words } = useSettings();
  return (
    <div class="picker" role="group" aria-label={words.question.chooseVariant}>
      {answers.map((answer, index) => (
        <button type="button" class="choice" aria-pressed={answer.variant === chosen} onClick={() => onChoose(answer.variant)}>
          {index < 9 && <kbd>{index + 1}</kbd>}
          <PlainText text={answer.variant} />
          {answer.variant === baseline && <span class="faint">◆</span>}
          <span class="number">{answer.value === null ? UNDEFINED : significant(answer.value, language)}</span>
          <Sign name={signOf(answer)} />
        </button>
      ))}
      {answers.length > 2 && (
        <button type="button" class="quiet" aria-pressed={isAll} onClick={() => onAll(!isAll)}>
          {isAll ? words.question.twoAnswers : words.question.allAnswers}
        </button>
      )}
    </div>
  );
}
