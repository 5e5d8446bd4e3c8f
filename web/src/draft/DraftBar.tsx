// The line above a draft: progress, who reviews, and the button that writes the next version.

import { useState } from "preact/hooks";
import type { DraftPlace, DraftVersion } from "../api";
import { PlainText } from "../parts/PlainText";
import { errorOf } from "../source/source";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { t, tn } from "../words";
import { writeVersion } from "./call";

interface Props {
  readonly name: string;
  readonly reviewer: string;
  readonly place: DraftPlace | null;
  readonly isSaving: boolean;
  readonly onNext: () => void;
  readonly onLeave: () => void;
  readonly onProblem: (problem: Error | null) => void;
  readonly onWritten: () => void;
}

export function DraftBar({ name, reviewer, place, isSaving, onNext, onLeave, onProblem, onWritten }: Props) {
  const { language } = useSettings();
  const [written, setWritten] = useState<DraftVersion | null>(null);
  const [isWriting, setWriting] = useState(false);
  const done = place ? place.accepted + place.rejected : 0;
  const n = (value: number): string => count(value, language);
  const progress = place ? t("{done} of {total} decided: {accepted} accepted, {rejected} rejected", { done: n(done), total: n(place.total), accepted: n(place.accepted), rejected: n(place.rejected) }) : "…";
  const write = async (): Promise<void> => {
    setWriting(true);
    try {
      setWritten(await writeVersion(name));
      onProblem(null);
      onWritten();
    } catch (error) {
      setWritten(null);
      onProblem(errorOf(error));
    } finally {
      setWriting(false);
    }
  };
  return (
    <header class="label-bar">
      <h1>{t("Review drafts")}</h1>
      <div class="label-progress" role="status">
        <progress max={place?.total || 1} value={done} aria-label={progress} />
        <span class="number">{progress}</span>
        <span class="faint saving">{isSaving ? t("saving…") : ""}</span>
      </div>
      <button type="button" onClick={onNext}>
        {t("Next undecided")} <kbd aria-hidden="true">n</kbd>
      </button>
      <div class="label-settings">
        <button type="button" class="quiet person" onClick={onLeave} title={t("Change the name")}>
          <PlainText text={reviewer} />
        </button>
        <button type="button" disabled={isWriting || isSaving || !place || done === 0} title={t("All accepted drafts and the version before.")} onClick={() => void write()}>
          {t("Write the next version")}
        </button>
        <span class="faint draft-version" role="status">
          {written ? (
            <PlainText text={tn("{file}: {n} question ({added} added, {changed} changed, {removed} removed)", "{file}: {n} questions ({added} added, {changed} changed, {removed} removed)", written.questions, { file: written.file, added: n(written.added), changed: n(written.changed), removed: n(written.removed) })} />
          ) : place?.last ? (
            <PlainText text={t("Newest version: {file}", { file: place.last })} />
          ) : null}
        </span>
      </div>
    </header>
  );
}
