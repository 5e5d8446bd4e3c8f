// The question and what was expected of an answer; also for those who label, without the gold.

import type { ComponentChildren } from "preact";
import type { GoldView, ItemView } from "../api";
import { oneLine } from "../text/visible";
import { show, t } from "../words";
import { PlainText } from "./PlainText";

interface Props {
  readonly item: Pick<ItemView, "question" | "expected" | "source"> & Partial<Pick<ItemView, "gold" | "tags">>;
  /** Shown beside the heading, if the page does not have it elsewhere. */
  readonly id?: string;
  readonly children?: ComponentChildren;
}

export function Expected({ item, id, children }: Props) {
  const { gold = [], tags = [] } = item;
  return (
    <section class="asked" aria-label={t("Question")}>
      <h2>
        {t("Question")} {id !== undefined && <PlainText text={id} />}
      </h2>
      <p class="asked-text">
        <PlainText text={item.question} />
      </p>
      {item.expected.length > 0 && <h2>{t("Expected")}</h2>}
      <dl class="expected">
        {item.expected.map(([name, value], at) => (
          <Fact key={at} name={show(name)}>
            <PlainText text={typeof value === "string" ? value : show(value)} />
          </Fact>
        ))}
        {gold.length > 0 && (
          <Fact name={t("Gold passages")}>
            {gold.map((passage) => (
              <Gold key={passage.id} passage={passage} />
            ))}
          </Fact>
        )}
        {item.source && (
          <Fact name={t("Source")}>
            <PlainText text={item.source} />
          </Fact>
        )}
        {tags.length > 0 && (
          <Fact name={t("Tags")}>
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
