// The line above a draft: progress, who reviews, and the button that writes the next version.

import { useState } from "preact/hooks";
import type { DraftPlace, DraftVersion } from "../api";
import { PlainText } from "../parts/PlainText";
import { errorOf } from "../source/source";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { fill, plural } from "../words";
import { writeVersion } from "./call";
import { useDraftWords } from "./words";

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
  const say = useDraftWords();
  const [written, setWritten] = useState<DraftVersion | null>(null);
  const [isWriting, setWriting] = useState(false);
  const done = place ? place.accepted + place.rejected : 0;
  const n = (value: number): string => count(value, language);
  const progress = place ? fill(say.progress, { done: n(done), total: n(place.total), accepted: n(place.accepted), rejected: n(place.rejected) }) : "…";
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
      <h1>{say.title}</h1>
      <div class="label-progress" role="status">
        <progress max={place?.total || 1} value={done} aria-label={progress} />
        <span class="number">{progress}</span>
        <span class="faint saving">{isSaving ? say.saving : ""}</span>
      </div>
      <button type="button" onClick={onNext}>
        {say.next} <kbd aria-hidden="true">n</kbd>
      </button>
      <div class="label-settings">
        <button type="button" class="quiet person" onClick={onLeave} title={say.change}>
          <PlainText text={reviewer} />
        </button>
        <button type="button" disabled={isWriting || isSaving || !place || done === 0} title={say.writeHint} onClick={() => void write()}>
          {say.write}
        </button>
        <span class="faint draft-version" role="status">
          {written ? (
            <PlainText text={fill(plural(say.written, written.questions, language), { file: written.file, n: n(written.questions), added: n(written.added), changed: n(written.changed), removed: n(written.removed) })} />
          ) : place?.last ? (
            <PlainText text={fill(say.last, { file: place.last })} />
          ) : null}
        </span>
      </div>
    </header>
  );
}
