// One answer to be labelled: its text, the four verdicts, a marked stretch, a comment, a correction.

import { useRef, useState } from "preact/hooks";
import type { LabelledAnswer, LabelVerdict } from "../api";
import { MarkedText } from "../parts/MarkedText";
import { PlainText } from "../parts/PlainText";
import { leaveField } from "../state/keys";
import { t } from "../words";
import { selectedSpan } from "./span";
import { labelWord } from "../words/named";

const VERDICT_KEYS: readonly (readonly [LabelVerdict, string, string])[] = [
  ["right", "g", "✓"],
  ["wrong", "b", "✗"],
  ["partly", "p", "◐"],
  ["unclear", "x", "?"],
];

/** What a person says about an answer. */
export interface Said {
  readonly verdict: LabelVerdict;
  readonly span: readonly [number, number] | null;
  readonly comment: string | null;
  readonly corrected_answer: string | null;
}

/** An answer with what was said of it, here if not yet on the server. */
export type SpokenOf = Omit<LabelledAnswer, "label"> & { readonly label: Said | null };

interface Props {
  readonly answer: SpokenOf;
  readonly number: number;
  readonly isActive: boolean;
  readonly isDisabled: boolean;
  readonly onChoose: () => void;
  readonly onSay: (said: Partial<Said>) => void;
}

export function AnswerCard({ answer, number, isActive, isDisabled, onChoose, onSay }: Props) {
  const shown = useRef<HTMLDivElement>(null);
  const said = answer.label;
  return (
    <section
      class={`label-card ${isActive ? "active" : ""} ${said ? `said ${said.verdict}` : ""}`}
      aria-label={t("Answer {n}", { n: number })}
      onClick={onChoose}
      onFocusIn={onChoose}
    >
      <h2>
        <kbd aria-hidden="true">{number}</kbd>
        <CardName answer={answer} number={number} />
      </h2>
      <div class="text" ref={shown}>
        {answer.text.trim() === "" ? <span class="empty">{t("The answer is empty.")}</span> : <MarkedText text={answer.text} spans={said?.span ? [said.span] : []} />}
      </div>
      <div class="verdict-buttons" role="group" aria-label={t("What to do")}>
        {VERDICT_KEYS.map(([verdict, key, sign]) => (
          <button
            key={verdict}
            type="button"
            class={`verdict-button ${verdict}`}
            aria-pressed={said?.verdict === verdict}
            disabled={isDisabled}
            onClick={() => onSay({ verdict })}
          >
            <span aria-hidden="true">{sign}</span> {labelWord(verdict)} <kbd aria-hidden="true">{key}</kbd>
          </button>
        ))}
      </div>
      <Evidence answer={answer} />
      {said && !isDisabled && (
        <div class="label-more">
          <div class="span-buttons">
            <button type="button" class="quiet mark-span" onMouseDown={(event) => event.preventDefault()} onClick={() => markSelection(shown.current, answer, onSay)}>
              {t("Mark the selected words")} <kbd aria-hidden="true">m</kbd>
            </button>
            {said.span && (
              <button type="button" class="quiet" onClick={() => onSay({ span: null })}>
                {t("Remove the mark")}
              </button>
            )}
          </div>
          <Field name="comment" title={t("Comment")} hint="c" value={said.comment} onSave={(comment) => onSay({ comment })} />
          <Field name="correction" title={t("Corrected answer")} hint="e" value={said.corrected_answer} onSave={(text) => onSay({ corrected_answer: text })} />
        </div>
      )}
    </section>
  );
}

/** The passages whose text is known, to check the answer against. */
function Evidence({ answer }: { answer: SpokenOf }) {
  const known = answer.passages?.filter(({ text }) => text !== null) ?? [];
  if (!known.length) return null;
  return (
    <details class="label-evidence">
      <summary>
        {t("Passages")} <span class="faint number">{known.length}</span>
      </summary>
      <ol>
        {known.map((passage) => (
          <li key={passage.number} class={`passage ${passage.is_gold ? "gold" : ""} ${passage.is_cited ? "cited" : ""}`}>
            <span class="citation">[{passage.number}]</span>{" "}
            <span class="text">
              <PlainText text={passage.text ?? ""} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function CardName({ answer, number }: { answer: SpokenOf; number: number }) {
  return answer.variants.length ? <PlainText text={answer.variants.join(", ")} /> : <>{t("Answer {n}", { n: number })}</>;
}

/** Marks the selected words of an answer, if there are any. */
export function markSelection(element: HTMLElement | null, answer: SpokenOf, onSay: (said: Partial<Said>) => void): void {
  const span = selectedSpan(element, answer.text);
  if (span) onSay({ span });
}

interface FieldProps {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  readonly value: string | null;
  readonly onSave: (value: string | null) => void;
}

/** A text that is saved when the reader leaves it. */
function Field({ name, title, hint, value, onSave }: FieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? value ?? "";
  const save = (): void => {
    if (draft !== null && draft.trim() !== (value ?? "")) onSave(draft.trim() || null);
    setDraft(null);
  };
  return (
    <label class="label-field">
      <span>
        {title} <kbd aria-hidden="true">{hint}</kbd>
      </span>
      <textarea
        name={name}
        rows={text.length > 60 ? 3 : 1}
        value={text}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={leaveField}
      />
    </label>
  );
}
