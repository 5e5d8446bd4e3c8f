// Two answers side by side: which one is better.

import type { LabelTask } from "../api";
import { PlainText } from "../parts/PlainText";
import { t } from "../words";

export function Pair({ task, onPrefer }: { task: LabelTask; onPrefer: (chosen: string) => void }) {
  const [left, right] = task.answers;
  const choices: [string, string, string][] = [];
  if (left && right) choices.push([left.hash, t("left is better"), "1"], ["equal", t("equally good"), "0"], [right.hash, t("right is better"), "2"], ["unclear", t("cannot tell"), "x"]);
  else choices.push(["equal", t("equally good"), "0"]);
  return (
    <div class="label-pair">
      <div class="answer-columns side-by-side">
        {task.answers.map((answer, at) => (
          <section key={answer.hash} class={`label-card ${task.chosen === answer.hash ? "said right" : ""}`}>
            <h2>
              {answer.variants.length ? <PlainText text={answer.variants.join(", ")} /> : at === 0 ? t("Left") : t("Right")}
              {task.chosen === answer.hash && <span aria-hidden="true"> ✓</span>}
            </h2>
            <div class="text">{answer.text.trim() ? <PlainText text={answer.text} /> : <span class="empty">{t("The answer is empty.")}</span>}</div>
          </section>
        ))}
      </div>
      {task.answers.length === 1 && <p class="note">{t("Both answers are the same.")}</p>}
      <div class="verdict-buttons" role="group" aria-label={t("choose the better of two")}>
        {choices.map(([chosen, text, key]) => (
          <button key={chosen} type="button" class="verdict-button" aria-pressed={task.chosen === chosen} onClick={() => onPrefer(chosen)}>
            {text} <kbd aria-hidden="true">{key}</kbd>
          </button>
        ))}
      </div>
    </div>
  );
}
