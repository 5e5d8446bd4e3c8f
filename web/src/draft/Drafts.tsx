// Reviewing drafted questions: the files of drafts, and one draft after the other, by keys.

import { useEffect, useRef, useState } from "preact/hooks";
import type { DraftBoard, DraftPlace, DraftState, DraftTask } from "../api";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { PlainText } from "../parts/PlainText";
import { type DraftRoute, formatRoute } from "../route";
import { useKeys } from "../state/keys";
import { useLoad } from "../state/load";
import { replace } from "../state/location";
import { useQueue } from "../state/queue";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { board, decide, next, task as askTask } from "./call";
import { DraftBar } from "./DraftBar";
import { DraftCard, type Edits } from "./DraftCard";
import { Person, usePerson } from "../label/Person";
import { t } from "../words";

export function Drafts({ route, isReadOnly }: { route: DraftRoute; isReadOnly: boolean }) {
  const [reviewer, setReviewer] = usePerson();
  const files = useLoad(route.name ? "" : "drafts", board);
  if (isReadOnly) return <p class="empty">{t("This page only reads. Start assay view with --allow-changes to review drafts.")}</p>;
  if (!route.name) {
    if (files.error) return <Failure error={files.error} again={files.again} />;
    return files.data ? <Files board={files.data} /> : <Loading />;
  }
  if (!reviewer) return <Person title={t("Review drafts")} hint={t("Decisions are kept with the name of the person who made them.")} onName={setReviewer} />;
  return <Desk key={route.name} route={route} reviewer={reviewer} onLeave={() => setReviewer("")} />;
}

function Files({ board }: { board: DraftBoard }) {
  const { language } = useSettings();
  return (
    <article class="drafts">
      <h1>{t("Review drafts")}</h1>
      <p class="note">{board.files.length ? t("Drafted questions, one after another. What you accept becomes the next version of the set.") : t("There are no drafts. A file of drafts is questions/NAME.draft.jsonl.")}</p>
      {board.files.length > 0 && (
        <div class="table-frame">
          <table>
            <caption class="unseen">{t("Files of drafts")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("File")}</th>
                <th scope="col" class="number">
                  {t("To decide")}
                </th>
                <th scope="col" class="number">
                  {t("accepted")}
                </th>
                <th scope="col" class="number">
                  {t("rejected")}
                </th>
              </tr>
            </thead>
            <tbody>
              {board.files.map((file) => (
                <tr key={file.name}>
                  <th scope="row">
                    <a href={formatRoute({ screen: "drafts", name: file.name, item: null })}>
                      <PlainText text={file.name} />
                    </a>
                  </th>
                  <td class="number">{count(file.total - file.accepted - file.rejected, language)}</td>
                  <td class="number">{count(file.accepted, language)}</td>
                  <td class="number">{count(file.rejected, language)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </article>
  );
}

interface DeskProps {
  readonly route: DraftRoute;
  readonly reviewer: string;
  readonly onLeave: () => void;
}

function Desk({ route, reviewer, onLeave }: DeskProps) {
  const { name, item } = route;
  const [newest, setNewest] = useState<DraftPlace | null>(null);
  const first = useLoad(`drafts ${name}`, (signal) => next(name, null, signal));
  const place = newest ?? first.data;
  const start = first.data ? (first.data.item ?? 0) : null;
  useEffect(() => {
    if (item === null && start !== null) replace({ ...route, item: start });
  }, [route, item, start]);
  const task = useLoad(item === null ? "" : `draft ${name} ${item}`, (signal) => askTask(name, item ?? 0, signal));
  const { isSaving, problem, setProblem, change } = useQueue();
  const shown = useRef(item);
  shown.current = item;

  const isHere = task.data !== null && task.data.item === item;
  const [busy, setBusy] = useState<number | null>(null);
  const settle = (found: DraftTask, verdict: DraftState, edits: Edits, goesOn: boolean): void => {
    // until the next draft is there, no key may change the one that is left
    if (goesOn) setBusy(found.item);
    change(async () => {
      try {
        const after = await decide(name, { item: found.item, hash: found.hash, reviewer, verdict, ...edits });
        setNewest(after);
        if (goesOn && after.item !== null && shown.current === found.item) replace({ ...route, item: after.item });
        else task.again();
      } finally {
        setBusy(null);
      }
    });
  };
  const go = (to: number | null): void => {
    if (to !== null && place && to >= 0 && to < place.total && to !== item) replace({ ...route, item: to });
  };
  const goNext = (): void =>
    change(async () => {
      const found = await next(name, item);
      setNewest(found);
      go(found.item);
    });
  useKeys({ KeyN: goNext, KeyJ: () => go((item ?? 0) + 1), KeyK: () => go((item ?? 0) - 1) });
  const error = problem ?? first.error ?? task.error;
  const again = (): void => {
    setProblem(null);
    first.again();
    task.again();
  };
  const isDone = place !== null && place.total > 0 && place.accepted + place.rejected >= place.total;
  return (
    <article class="drafts">
      <DraftBar name={name} reviewer={reviewer} place={place} isSaving={isSaving} onNext={goNext} onLeave={onLeave} onProblem={setProblem} onWritten={() => first.again()} />
      {error && <Failure error={error} again={again} />}
      {isDone && (
        <p class="label-finished" role="status">
          <strong>{t("Every draft has a decision.")}</strong>
        </p>
      )}
      {place?.total === 0 ? (
        <p class="empty">{t("There are no drafts. A file of drafts is questions/NAME.draft.jsonl.")}</p>
      ) : isHere ? (
        <DraftCard key={`${item} ${task.data.hash}`} task={task.data} total={place?.total ?? 0} isBusy={busy === item} onDecide={settle} />
      ) : (
        !error && <Loading />
      )}
      <p class="note label-keys">{t("a accept · r reject · z undecided · e edit the question · w edit the answer · n next undecided · j, k next, previous")}</p>
      <p class="note">{t("Keys are found by their place on the keyboard, whatever the layout.")}</p>
    </article>
  );
}
