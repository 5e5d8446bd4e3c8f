// The line above a question: its id, its place in the list, and the way to its neighbours.

import type { ItemView } from "../api";
import { formatRoute, placeOf, type QuestionRoute, runAddress } from "../route";
import { itemList, useItems } from "../state/items";
import { useSettings } from "../state/settings";
import { HttpSource } from "../source/http";
import { useSource } from "../state/source";
import { count } from "../text/number";
import { t, tx } from "../words";
import { PlainText } from "./PlainText";

interface Props {
  readonly route: QuestionRoute;
  readonly item: ItemView;
  readonly all: number;
  readonly onStep: (step: number) => void;
}

export function QuestionBar({ route, item, all, onStep }: Props) {
  const { language } = useSettings();
  const source = useSource();
  const { at, filter } = placeOf(route, item.item);
  const list = itemList(source, route.run, filter);
  useItems(list, (each) => each.total);
  const total = route.at === null ? all : list.total;
  const place = tx("place", "{n} of {total}", { n: count(at + 1, language), total: total === null ? "…" : count(total, language) });
  return (
    <div class="question-bar">
      <h1>
        <PlainText text={t("Question {id}", { id: item.id })} />
      </h1>
      <span class="place number">{place}</span>
      <button type="button" onClick={() => onStep(-1)} disabled={at <= 0} title={t("Previous question (k)")}>
        <span aria-hidden="true">
          ‹ <kbd>k</kbd>
        </span>
        <span class="unseen">{t("Previous question (k)")}</span>
      </button>
      <button
        type="button"
        onClick={() => onStep(1)}
        disabled={total !== null && at >= total - 1}
        title={t("Next question (j)")}
      >
        <span aria-hidden="true">
          <kbd>j</kbd> ›
        </span>
        <span class="unseen">{t("Next question (j)")}</span>
      </button>
      {source instanceof HttpSource && (
        <a class="button quiet" href={formatRoute({ screen: "label", run: route.run, item: item.item, isBlind: false, pair: [] })}>
          {t("Label answers")} <kbd aria-hidden="true">l</kbd>
        </a>
      )}
      <a class="button quiet" href={runAddress(route.run, "questions", { filter: route.filter })}>
        {t("All questions")}
      </a>
    </div>
  );
}
