// The line above a question: its id, its place in the list, and the way to its neighbours.

import type { ItemView } from "../api";
import { useLabelWords } from "../label/words";
import { formatRoute, placeOf, type QuestionRoute, runAddress } from "../route";
import { itemList, useItems } from "../state/items";
import { useSettings } from "../state/settings";
import { HttpSource } from "../source/http";
import { useSource } from "../state/source";
import { count } from "../text/number";
import { fill } from "../words";
import { PlainText } from "./PlainText";

interface Props {
  readonly route: QuestionRoute;
  readonly item: ItemView;
  readonly all: number;
  readonly onStep: (step: number) => void;
}

export function QuestionBar({ route, item, all, onStep }: Props) {
  const { language, words } = useSettings();
  const label = useLabelWords();
  const source = useSource();
  const { at, filter } = placeOf(route, item.item);
  const list = itemList(source, route.run, filter);
  useItems(list, (each) => each.total);
  const total = route.at === null ? all : list.total;
  const place = fill(words.question.place, { n: count(at + 1, language), total: total === null ? "…" : count(total, language) });
  return (
    <div class="question-bar">
      <h1>
        <PlainText text={fill(words.question.title, { id: item.id })} />
      </h1>
      <span class="place number">{place}</span>
      <button type="button" onClick={() => onStep(-1)} disabled={at <= 0} title={words.question.previous}>
        <span aria-hidden="true">
          ‹ <kbd>k</kbd>
        </span>
        <span class="unseen">{words.question.previous}</span>
      </button>
      <button
        type="button"
        onClick={() => onStep(1)}
        disabled={total !== null && at >= total - 1}
        title={words.question.next}
      >
        <span aria-hidden="true">
          <kbd>j</kbd> ›
        </span>
        <span class="unseen">{words.question.next}</span>
      </button>
      {source instanceof HttpSource && (
        <a class="button quiet" href={formatRoute({ screen: "label", run: route.run, item: item.item, isBlind: false, pair: [] })}>
          {label.title} <kbd aria-hidden="true">l</kbd>
        </a>
      )}
      <a class="button quiet" href={runAddress(route.run, "questions", { filter: route.filter })}>
        {words.question.back}
      </a>
    </div>
  );
}
