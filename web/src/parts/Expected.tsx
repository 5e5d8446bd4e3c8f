// The question and what was expected of an answer; also for those who label, without the gold.

import type { ComponentChildren } from "preact";
import type { GoldView, ItemView } from "../api";
import { useSettings } from "../state/settings";
import { oneLine } from "../text/visible";
import { said } from "../words";
import { PlainText } from "./PlainText";

interface Props {
  readonly item: Pick<ItemView, "question" | "expected" | "source"> & Partial<Pick<ItemView, "gold" | "tags">>;
  /** Shown beside the heading, if the page does not have it elsewhere. */
  readonly id?: string;
  readonly children?: ComponentChildren;
}

export function Expected({ item, id, children }: Props) {
  const { language, words } = useSettings();
  const { gold = [], tags = [] } = item;
  return (
    <section class="asked" aria-label={words.question.question}>
      <h2>
        {words.question.question} {id !== undefined && <PlainText text={id} />}
      </h2>
      <p class="asked-text">
        <PlainText text={item.question} />
      </p>
      {item.expected.length > 0 && <h2>{words.question.expected}</h2>}
      <dl class="expected">
        {item.expected.map(([name, value], at) => (
          <Fact key={at} name={said(name, language)}>
            <PlainText text={typeof value === "string" ? value : said(value, language)} />
          </Fact>
        ))}
        {gold.length > 0 && (
          <Fact name={words.question.gold}>
            {gold.map((passage) => (
              <Gold key={passage.id} passage={passage} />
            ))}
          </Fact>
        )}
        {item.source && (
          <Fact name={words.question.source}>
            <PlainText text={item.source} />
          </Fact>
        )}
        {tags.length > 0 && (
          <Fact name={words.question.tags}>
            {tags.map((tag) => (
              <span key={tag} class="tag">
                <PlainText text={tag} />
              </span>
            ))}
          </Fact>
        )}
      </dl>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Gold({ passage: { id, text } }: { passage: GoldView }) {
  return (
    <div class="gold-passage" title={oneLine(id)} tabIndex={0}>
      {text === null ? (
        <code>
          <PlainText text={id} />
        </code>
      ) : (
        <PlainText text={text} />
      )}
    </div>
  );
}
