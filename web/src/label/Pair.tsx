// Two answers side by side: which one is better.

import type { LabelTask } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { useLabelWords } from "./words";

export function Pair({ task, onPrefer }: { task: LabelTask; onPrefer: (chosen: string) => void }) {
  const { words } = useSettings();
  const label = useLabelWords();
  const [left, right] = task.answers;
  const choices: [string, string, string][] = [];
  if (left && right) choices.push([left.hash, label.leftBetter, "1"], ["equal", label.equal, "0"], [right.hash, label.rightBetter, "2"], ["unclear", label.verdicts.unclear ?? "", "x"]);
  else choices.push(["equal", label.equal, "0"]);
  return (
    <div class="label-pair">
      <div class="answer-columns side-by-side">
        {task.answers.map((answer, at) => (
          <section key={answer.hash} class={`label-card ${task.chosen === answer.hash ? "said right" : ""}`}>
            <h2>
              {answer.variants.length ? <PlainText text={answer.variants.join(", ")} /> : at === 0 ? label.left : label.right}
              {task.chosen === answer.hash && <span aria-hidden="true"> ✓</span>}
            </h2>
            <div class="text">{answer.text.trim() ? <PlainText text={answer.text} /> : <span class="empty">{words.question.emptyAnswer}</span>}</div>
          </section>
        ))}
      </div>
      {task.answers.length === 1 && <p class="note">{label.identical}</p>}
      <div class="verdict-buttons" role="group" aria-label={label.prefer}>
        {choices.map(([chosen, text, key]) => (
          <button key={chosen} type="button" class="verdict-button" aria-pressed={task.chosen === chosen} onClick={() => onPrefer(chosen)}>
            {text} <kbd aria-hidden="true">{key}</kbd>
          </button>
        ))}
      </div>
    </div>
  );
}
