// One question: what was expected, what was answered, and which passages the answers rest on.

import { useEffect, useState } from "preact/hooks";
import type { AnswerView, ItemView, RunView } from "../api";
import { GoldLink } from "../corpus/GoldLink";
import { AnswerColumn } from "../parts/AnswerColumn";
import { AnswerDetails } from "../parts/AnswerDetails";
import { Expected } from "../parts/Expected";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { Passages } from "../parts/Passages";
import { QuestionBar } from "../parts/QuestionBar";
import { VariantPicker } from "../parts/VariantPicker";
import { HttpSource } from "../source/http";
import { placeOf, type QuestionRoute } from "../route";
import { itemList } from "../state/items";
import { useKeys } from "../state/keys";
import { useLoad } from "../state/load";
import { go, replace } from "../state/location";
import { useSource } from "../state/source";
import { t } from "../words";

export function Question({ route, isReadOnly }: { route: QuestionRoute; isReadOnly: boolean }) {
  const source = useSource();
  const run = useLoad(`run ${route.run}`, (signal) => source.run(route.run, signal));
  const item = useLoad(`item ${route.run} ${route.item}`, (signal) => source.item(route.run, route.item, signal));
  const step = useSteps(route, item.data);
  useKeys({
    KeyJ: () => step(1),
    KeyK: () => step(-1),
    ...(source instanceof HttpSource ? { KeyL: () => go({ screen: "label", run: route.run, item: item.data?.item ?? null, isBlind: false, pair: [] }) } : {}),
    ...variantKeys(item.data, route),
  });
  const error = run.error ?? item.error;
  if (error) return <Failure error={error} again={run.error ? run.again : item.again} />;
  if (!run.data || !item.data) return <Loading />;
  return (
    <article class="question" aria-busy={item.isLoading}>
      <QuestionBar route={route} item={item.data} all={run.data.items} onStep={step} />
      <Columns route={route} run={run.data} item={item.data} isReadOnly={isReadOnly} />
    </article>
  );
}

interface ColumnsProps {
  readonly route: QuestionRoute;
  readonly run: RunView;
  readonly item: ItemView;
  readonly isReadOnly: boolean;
}

function Columns({ route, run, item, isReadOnly }: ColumnsProps) {
  const [isAll, setAll] = useState(false);
  const baseline = item.answers.find(({ variant }) => variant === run.baseline) ?? item.answers[0];
  const chosen = chosenAnswer(item, route, baseline);
  const pair = isAll ? item.answers : pairOf(baseline, chosen);
  return (
    <div class="question-columns">
      <Expected item={item}>{!isReadOnly && <GoldLink run={run} id={item.id} text={item.question} />}</Expected>
      <section class="answers" aria-label={t("Answers")}>
        {item.answers.length > 1 && (
          <VariantPicker
            answers={item.answers}
            metric={run.metrics.find(({ name }) => name === run.primary)}
            chosen={chosen?.variant ?? ""}
            baseline={run.baseline}
            onChoose={(variant) => replace({ ...route, chosen: variant })}
            isAll={isAll}
            onAll={setAll}
          />
        )}
        <div class={`answer-columns ${pair.length > 1 ? "side-by-side" : ""}`}>
          {pair.map((answer) => (
            <AnswerColumn
              key={`${item.item} ${answer.variant}`}
              run={run}
              item={item.id}
              answer={answer}
              against={answer !== baseline ? baseline : undefined}
            />
          ))}
        </div>
        {chosen && <AnswerDetails run={run} item={item} answer={chosen} baseline={chosen === baseline ? undefined : baseline} />}
      </section>
      {chosen && <Passages key={`${item.item} ${chosen.variant}`} run={run} item={item.id} answer={chosen} isOnly={item.answers.length === 1} />}
    </div>
  );
}

function pairOf(baseline: AnswerView | undefined, chosen: AnswerView | undefined): AnswerView[] {
  return [baseline, chosen].filter((answer, at, all): answer is AnswerView => answer !== undefined && all.indexOf(answer) === at);
}

/** The chosen variant; without a choice the one that lost most against the baseline. */
function chosenAnswer(item: ItemView, route: QuestionRoute, baseline: AnswerView | undefined): AnswerView | undefined {
  const named = item.answers.find(({ variant }) => variant === (route.chosen || route.filter.variant));
  if (named) return named;
  const others = item.answers.filter((answer) => answer !== baseline);
  return others.find(({ mark }) => mark === "worse") ?? others.find(({ mark }) => mark === "better") ?? others[0] ?? baseline;
}

function variantKeys(item: ItemView | null, route: QuestionRoute): Record<string, () => void> {
  const keys: Record<string, () => void> = {};
  item?.answers.slice(0, 9).forEach(({ variant }, index) => {
    keys[`Digit${index + 1}`] = () => replace({ ...route, chosen: variant });
  });
  return keys;
}

/** Steps to the next or previous question of the list under the filter of the address. */
function useSteps(route: QuestionRoute, item: ItemView | null): (step: number) => void {
  const source = useSource();
  useEffect(() => {
    if (!item) return;
    const { at, filter } = placeOf(route, item.item);
    const list = itemList(source, route.run, filter);
    list.show(Math.max(0, at - 1), at + 1);
    if (route.at === null) return;
    // the list may have changed since the address was made: then the place in it is not this one
    void list.rowAt(at).then((row) => {
      if (row && row.id !== item.id && item.id === route.item) replace({ ...route, at: null });
    });
  }, [source, route, item]);
  return (step) => {
    const { at, filter } = placeOf(route, item?.item ?? 0);
    const next = at + step;
    void itemList(source, route.run, filter)
      .rowAt(next)
      .then((row) => {
        if (row) replace({ ...route, filter, item: row.id, at: next });
      });
  };
}
