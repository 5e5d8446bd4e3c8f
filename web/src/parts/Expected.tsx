// The question and what was expected of an answer.

import type { ItemView } from "../api";
import { useSettings } from "../state/settings";
import { oneLine } from "../text/visible";
import { said } from "../words";
import { PlainText } from "./PlainText";

export function Expected({ item }: { item: ItemView }) {
  const { language, words } = useSettings();
  return (
    <section class="asked" aria-label={words.question.question}>
      <h2>{words.question.question}</h2>
      <p class="asked-text">
        <PlainText text={item.question} />
      </p>
      {item.expected.length > 0 && <h2>{words.question.expected}</h2>}
      <dl class="expected">
        {item.expected.map(([name, value]) => (
          <div>
            <dt>{said(name, language)}</dt>
            <dd>
              <PlainText text={typeof value === "string" ? value : said(value, language)} />
            </dd>
          </div>
        ))}
        {item.gold.length > 0 && (
          <div>
            <dt>{words.question.gold}</dt>
            <dd>
              {item.gold.map(({ id, text }) => (
                <div class="gold-passage" title={oneLine(id)}>
                  {text === null ? (
                    <code>
                      <PlainText text={id} />
                    </code>
                  ) : (
                    <PlainText text={text} />
                  )}
                </div>
              ))}
            </dd>
          </div>
        )}
        {item.source && (
          <div>
            <dt>{words.question.source}</dt>
            <dd>
              <PlainText text={item.source} />
            </dd>
          </div>
        )}
        {item.tags.length > 0 && (
          <div>
            <dt>{words.question.tags}</dt>
            <dd>
              {item.tags.map((tag) => (
                <span class="tag">
                  <PlainText text={tag} />
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
