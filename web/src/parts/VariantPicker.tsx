// The variants of a question with their values; keys 1 to 9 choose one.

import type { AnswerView, MetricInfo } from "../api";
import { PlainText } from "./PlainText";
import { Sign, signOf } from "./Sign";
import { Value } from "./Value";
import { t } from "../words";

interface Props {
  readonly metric: MetricInfo | undefined;
  readonly answers: readonly AnswerView[];
  readonly chosen: string;
  readonly baseline: string;
  readonly onChoose: (variant: string) => void;
  readonly isAll: boolean;
  readonly onAll: (isAll: boolean) => void;
}

export function VariantPicker({ answers, metric, chosen, baseline, onChoose, isAll, onAll }: Props) {
  return (
    <div class="picker" role="group" aria-label={t("Variant")}>
      {answers.map((answer, index) => (
        <button key={answer.variant} type="button" class="choice" aria-pressed={answer.variant === chosen} onClick={() => onChoose(answer.variant)}>
          {index < 9 && <kbd>{index + 1}</kbd>}
          <PlainText text={answer.variant} />
          {answer.variant === baseline && <span class="faint">◆</span>}
          {metric && <Value value={answer.value} shown={metric} />}
          <Sign name={signOf(answer)} />
        </button>
      ))}
      {answers.length > 2 && (
        <button type="button" class="quiet" aria-pressed={isAll} onClick={() => onAll(!isAll)}>
          {isAll ? t("Two at a time") : t("All answers")}
        </button>
      )}
    </div>
  );
}
