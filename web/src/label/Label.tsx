// Labelling: one question after the other, by keys.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LabelPlace, LabelTask, LabelVerdict, RunView } from "../api";
import { GoldLink } from "../corpus/GoldLink";
import { Expected } from "../parts/Expected";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { type LabelRoute, NO_FILTER, runAddress } from "../route";
import { itemList } from "../state/items";
import { useKeys } from "../state/keys";
import { useLoad } from "../state/load";
import { replace } from "../state/location";
import { useQueue } from "../state/queue";
import { useSettings } from "../state/settings";
import { useSource } from "../state/source";
import { t } from "../words";
import { AnswerCard, markSelection, type Said } from "./AnswerCard";
import { next, saveLabel, savePreference, task as askTask } from "./call";
import { LabelBar, progressOf } from "./LabelBar";
import { Pair } from "./Pair";
import { Person, usePerson } from "./Person";

export function Label({ route, isReadOnly }: { route: LabelRoute; isReadOnly: boolean }) {
  const [labeller, setLabeller] = usePerson();
  const source = useSource();
  const run = useLoad(`run ${route.run}`, (signal) => source.run(route.run, signal));
  if (run.error) return <Failure error={run.error} again={run.again} />;
  if (isReadOnly) return <p class="empty">{t("This page only reads. Start assay view with --allow-changes to label.")}</p>;
  if (!labeller) return <Person title={t("Label answers")} hint={t("Labels are kept with the name of the person who gave them.")} onName={setLabeller} />;
  if (!run.data) return <Loading />;
  return <Desk route={route} run={run.data} labeller={labeller} onLeave={() => setLabeller("")} />;
}

interface DeskProps {
  readonly route: LabelRoute;
  readonly run: RunView;
  readonly labeller: string;
  readonly onLeave: () => void;
}

function Desk({ route, run, labeller, onLeave }: DeskProps) {
  const mode = `${route.run} ${labeller} ${route.isBlind} ${route.pair.join("\n")}`;
  const place = useLoad(`place ${mode} ${route.item === null}`, (signal) => next(route, labeller, null, signal));
  const first = place.data?.item ?? null;
  useEffect(() => {
    if (route.item === null && place.data && first !== null) replace({ ...route, item: first });
  }, [route, first, place.data]);
  const item = route.item;
  const task = useLoad(item === null ? "" : `task ${mode} ${item}`, (signal) => askTask(route, item ?? 0, labeller, signal));
  const queue = useQueue();
  const leaving = useRef(false);

  const change = (act: () => Promise<unknown>): void => {
    if (leaving.current) return;
    queue.change(async () => {
      await act();
      task.again();
      place.again();
    });
  };
  /** Goes to another question; until it is there, no key may change the one that is left. */
  const leave = (find: () => Promise<number | null>): void => {
    leaving.current = true;
    queue.after(async () => {
      let found: number | null = null;
      try {
        found = await find();
      } finally {
        leaving.current = found !== null && found !== item;
      }
      if (found !== null && found !== item) replace({ ...route, item: found });
    });
  };
  useLayoutEffect(() => {
    leaving.current = false;
  }, [item]);
  const goNext = (): void =>
    leave(async () => {
      const found = await next(route, labeller, item);
      if (found.item === null) place.again();
      return found.item;
    });
  const step = useSteps(route);
  useKeys({ KeyN: goNext, KeyJ: () => leave(() => step(1)), KeyK: () => leave(() => step(-1)) });
  const error = queue.problem ?? place.error ?? task.error;
  const again = (): void => {
    queue.setProblem(null);
    place.again();
    task.again();
  };
  const isDone = place.data !== null && place.data.item === null && !place.isLoading;
  return (
    <article class="label">
      <LabelBar route={route} run={run} labeller={labeller} place={place.data} isSaving={queue.isSaving} onNext={goNext} onLeave={onLeave} />
      {error && <Failure error={error} again={again} />}
      {isDone && <Finished route={route} place={place.data} />}
      {task.data && item !== null && task.data.item === item ? (
        <Question key={`${mode} ${item}`} route={route} run={run} task={task.data} labeller={labeller} onChange={change} />
      ) : (
        !error && !isDone && <Loading />
      )}
      <p class="note label-keys">{route.pair.length ? t("1 left · 2 right · 0 equal · x cannot tell · n next · j, k next, previous") : t("g right · b wrong · p partly · x cannot tell · 1–9 choose an answer · n next unlabelled · j, k next, previous · c comment · e correct · m mark selected words")}</p>
      <p class="note">{t("Keys are found by their place on the keyboard, whatever the layout.")}</p>
    </article>
  );
}

function Finished({ route, place }: { route: LabelRoute; place: LabelPlace }) {
  const { language } = useSettings();
  return (
    <p class="label-finished" role="status">
      <strong>{t("You have labelled everything here.")}</strong>{" "}
      <span class="faint number">{progressOf(route, place, language)}</span>{" "}
      <a href={runAddress(route.run, "labels")}>{t("See the agreement")}</a>
    </p>
  );
}

interface QuestionProps {
  readonly route: LabelRoute;
  readonly run: RunView;
  readonly task: LabelTask;
  readonly labeller: string;
  readonly onChange: (act: () => Promise<unknown>) => void;
}

function Question({ route, run, task, labeller, onChange }: QuestionProps) {
  const [active, setActive] = useState(() => Math.max(0, task.answers.findIndex((answer) => !answer.label)));
  const [given, setGiven] = useState<ReadonlySet<number>>(new Set());
  // A verdict shows at once: the fields it opens take the next keys before the server has answered.
  const [said, setSaid] = useState<ReadonlyMap<string, Said>>(new Map());
  const answers = task.answers.map((answer) => ({ ...answer, label: said.get(answer.hash) ?? answer.label }));
  const isPair = route.pair.length === 2;
  const say = (at: number, change: Partial<Said>): void => {
    const answer = answers[at];
    const verdict = change.verdict ?? answer?.label?.verdict;
    if (!answer || !verdict) return;
    const { span = null, comment = null, corrected_answer = null } = { ...answer.label, ...change };
    const now: Said = { verdict, span, comment, corrected_answer };
    setSaid((before) => new Map(before).set(answer.hash, now));
    onChange(async () => {
      try {
        await saveLabel(route.run, { item: task.item, labeller, answer_hash: answer.hash, ...now, is_blind: route.isBlind });
      } catch (error) {
        setSaid((before) => without(before, answer.hash));
        throw error;
      }
    });
    if (!change.verdict) return;
    const known = new Set([...given, at]);
    setGiven(known);
    setActive(nextOpen(task, at, known));
  };
  const prefer = (chosen: string): void =>
    onChange(() => savePreference(route.run, { item: task.item, labeller, pair: [route.pair[0] ?? "", route.pair[1] ?? ""], chosen, comment: null, is_blind: route.isBlind }));
  useKeys(isPair ? pairKeys(task, prefer) : verdictKeys(task, active, setActive, say));
  return (
    <div class="label-columns">
      <Expected item={task} id={task.id}>
        <GoldLink run={run} id={task.id} text={task.question} />
      </Expected>
      {task.answers.length === 0 ? (
        <p class="empty">{t("There is nothing to label in this question.")}</p>
      ) : isPair ? (
        <Pair task={task} onPrefer={prefer} />
      ) : (
        <div class="label-answers">
          {answers.map((answer, at) => (
            <AnswerCard
              key={answer.hash}
              answer={answer}
              number={at + 1}
              isActive={at === active}
              isDisabled={false}
              onChoose={() => setActive(at)}
              onSay={(change) => say(at, change)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function without(said: ReadonlyMap<string, Said>, hash: string): ReadonlyMap<string, Said> {
  return new Map([...said].filter(([other]) => other !== hash));
}

/** The next answer of the question without a label; the same one if all have one. */
function nextOpen(task: LabelTask, at: number, given: ReadonlySet<number>): number {
  const others = task.answers.map((_, number) => (at + 1 + number) % task.answers.length);
  return others.find((number) => !given.has(number) && !task.answers[number]?.label) ?? at;
}

function verdictKeys(
  task: LabelTask,
  active: number,
  setActive: (at: number) => void,
  say: (at: number, change: Partial<Said>) => void,
): Record<string, () => void> {
  const by = (verdict: LabelVerdict) => () => say(active, { verdict });
  const card = (): HTMLElement | null => document.querySelectorAll<HTMLElement>(".label-card")[active] ?? null;
  const focus = (name: string) => () => card()?.querySelector<HTMLTextAreaElement>(`textarea[name=${name}]`)?.focus();
  const keys: Record<string, () => void> = {
    KeyG: by("right"),
    KeyB: by("wrong"),
    KeyP: by("partly"),
    KeyX: by("unclear"),
    KeyC: focus("comment"),
    KeyE: focus("correction"),
    KeyM: () => {
      const answer = task.answers[active];
      if (answer) markSelection(card()?.querySelector<HTMLElement>(".text") ?? null, answer, (change) => say(active, change));
    },
  };
  task.answers.slice(0, 9).forEach((_, at) => {
    keys[`Digit${at + 1}`] = () => setActive(at);
  });
  return keys;
}

function pairKeys(task: LabelTask, prefer: (chosen: string) => void): Record<string, () => void> {
  const [left, right] = task.answers;
  if (!left || !right) return { Digit0: () => prefer("equal") };
  return {
    Digit1: () => prefer(left.hash),
    Digit2: () => prefer(right.hash),
    Digit0: () => prefer("equal"),
    KeyX: () => prefer("unclear"),
  };
}

/** The question before or after this one in the order of the file; null if there is none. */
function useSteps(route: LabelRoute): (step: number) => Promise<number | null> {
  const source = useSource();
  const at = useRef(0);
  return async (step) => {
    const list = itemList(source, route.run, NO_FILTER);
    if ((await list.rowAt(at.current))?.item !== route.item) {
      at.current = 0;
      for (let row = await list.rowAt(0); row && row.item !== route.item; row = await list.rowAt(at.current)) at.current++;
    }
    const place = at.current + step;
    const row = place < 0 ? null : await list.rowAt(place);
    if (row) at.current = place;
    return row?.item ?? null;
  };
}
