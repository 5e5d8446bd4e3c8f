// The question of a task and what was expected.

import type { LabelTask } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { said } from "../words";

export function Asked({ task }: { task: LabelTask }) {
  const { language, words } = useSettings();
  return (
    <section class="asked" aria-label={words.question.question}>
      <h2>
        {words.question.question} <PlainText text={task.id} />
      </h2>
      <p class="asked-text">
        <PlainText text={task.question} />
      </p>
      {task.expected.length > 0 && <h2>{words.question.expected}</h2>}
      <dl class="expected">
        {task.expected.map(([name, value]) => (
          <div>
            <dt>{said(name, language)}</dt>
            <dd>
              <PlainText text={typeof value === "string" ? value : said(value, language)} />
            </dd>
          </div>
        ))}
        {task.source && (
          <div>
            <dt>{words.question.source}</dt>
            <dd>
              <PlainText text={task.source} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
