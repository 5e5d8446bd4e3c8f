// One draft: its question and answer, which can be edited, its evidence in context, and the decision.

import { useRef, useState } from "preact/hooks";
import type { DraftEvidence, DraftState, DraftTask } from "../api";
import { PlainText } from "../parts/PlainText";
import { leaveField, useKeys } from "../state/keys";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { show, t, tx } from "../words";

export interface Edits {
  readonly question: string | null;
  readonly answer: string | null;
}

interface Props {
  readonly task: DraftTask;
  readonly total: number;
  readonly isBusy: boolean;
  readonly onDecide: (task: DraftTask, verdict: DraftState, edits: Edits, goesOn: boolean) => void;
}

const BUTTONS: readonly (readonly [DraftState, string, string, () => string])[] = [
  ["accepted", "a", "✓", () => t("accept")],
  ["rejected", "r", "✗", () => t("reject")],
  ["open", "z", "○", () => tx("draft", "undecided")],
];

type Words = Readonly<Record<string, string>>;

function kindWords(): Words {
  return {
    fact: t("fact"),
    number: t("number"),
    date: t("date"),
    multi_passage: t("several passages"),
    multi_document: t("several documents"),
    comparison: t("comparison"),
    yes_no: t("yes or no"),
    unanswerable: t("unanswerable"),
    choice: t("choice"),
  };
}

/** What the check of a set calls its findings. */
function findingWords(): Words {
  return {
    file_problem: t("not a question"),
    duplicate: t("the same question twice"),
    near_duplicate: t("nearly the same question"),
    gold_missing: t("the gold passage is not in the corpus"),
    answer_not_in_evidence: t("the gold passage does not say the answer"),
    answer_in_question: t("answer in the question"),
    two_right_choices: t("two right choices"),
    answer_elsewhere: t("another passage answers too"),
    answered_by_corpus: t("marked unanswerable, but a passage seems to answer"),
    unanswerable_answer: t("marked unanswerable, but with an expected answer"),
    language_mix: t("languages mixed"),
    closed_book: t("answered without the document"),
    copied_words: t("the question repeats its passage word for word"),
  };
}

export function DraftCard({ task, total, isBusy, onDecide }: Props) {
  const { language } = useSettings();
  const card = useRef<HTMLElement>(null);
  const [question, setQuestion] = useState(task.edited_question ?? task.question);
  const [answer, setAnswer] = useState(task.edited_answer ?? task.answer);
  const changed = (text: string, drafted: string): string | null => (text.trim() !== drafted.trim() && text.trim() !== "" ? text.trim() : null);
  const decide = (verdict: DraftState): void => {
    if (isBusy || (verdict === "open" && task.verdict === "open")) return;
    const edits: Edits = verdict === "accepted" ? { question: changed(question, task.question), answer: changed(answer, task.answer) } : { question: null, answer: null };
    onDecide(task, verdict, edits, verdict !== "open");
  };
  const focus = (field: string) => () => card.current?.querySelector<HTMLTextAreaElement>(`textarea[name=${field}]`)?.focus();
  useKeys({ KeyA: () => decide("accepted"), KeyR: () => decide("rejected"), KeyZ: () => decide("open"), KeyE: focus("question"), KeyW: focus("answer") });
  const n = (value: number): string => count(value, language);
  const by = task.by === "template" ? t("a template") : task.by;
  return (
    <section class={`draft ${task.verdict}`} ref={card} aria-busy={isBusy} aria-label={t("Draft {n} of {total}", { n: n(task.place), total: n(total) })}>
      <header class="draft-head">
        <h2>{t("Draft {n} of {total}", { n: n(task.place), total: n(total) })}</h2>
        {task.kind && <span class="draft-kind">{kindWords()[task.kind] ?? task.kind}</span>}
        {by && <span class="faint">{t("drafted by {name}", { name: by })}</span>}
        <span class="faint">
          <PlainText text={task.id} />
        </span>
        {task.verdict !== "open" && <strong class={`draft-state ${task.verdict}`}>{t("{state} by {name}", { state: task.verdict === "accepted" ? t("accepted") : t("rejected"), name: task.reviewer })}</strong>}
      </header>
      <div class="draft-columns">
        <div class="draft-words">
          <Field name="question" hint="e" title={t("Question")} value={question} drafted={task.question} lang={task.language} onChange={setQuestion} />
          {task.is_answerable ? (
            <Field name="answer" hint="w" title={t("Expected answer")} note={task.choices.length ? "" : t("One accepted answer on each line.")} value={answer} drafted={task.answer} lang={task.language} onChange={setAnswer} />
          ) : (
            <p class="draft-unanswerable">{t("The documents do not answer this question.")}</p>
          )}
          {task.choices.length > 0 && <Choices task={task} />}
          <div class="verdict-buttons" role="group" aria-label={t("Review drafts")}>
            {BUTTONS.filter(([verdict]) => verdict !== "open" || task.verdict !== "open").map(([verdict, key, sign, word]) => (
              <button key={verdict} type="button" class={`verdict-button ${verdict}`} aria-pressed={task.verdict === verdict} disabled={isBusy} onClick={() => decide(verdict)}>
                <span aria-hidden="true">{sign}</span> {word()} <kbd aria-hidden="true">{key}</kbd>
              </button>
            ))}
          </div>
          <Findings task={task} />
        </div>
        <div class="draft-evidence">
          <h3>{t("Evidence")}</h3>
          {task.evidence.length ? task.evidence.map((evidence, at) => <Evidence key={at} evidence={evidence} />) : <p class="faint">{t("No evidence is named.")}</p>}
        </div>
      </div>
    </section>
  );
}

function Evidence({ evidence }: { evidence: DraftEvidence }) {
  return (
    <figure>
      <figcaption class="faint">
        <PlainText text={evidence.source} />
        {!evidence.is_found && <strong class="draft-missing"> {t("not in the documents")}</strong>}
      </figcaption>
      <p class="text">
        <span class="faint">
          <PlainText text={evidence.before} />
        </span>
        <mark>
          <PlainText text={evidence.text} />
        </mark>
        <span class="faint">
          <PlainText text={evidence.after} />
        </span>
      </p>
    </figure>
  );
}

function Choices({ task }: { task: DraftTask }) {
  const right = new Set(task.answer.toLowerCase().split(/\W+/));
  return (
    <div class="draft-choices">
      <h3>{t("Choices")}</h3>
      <ol>
        {task.choices.map(([letter, text]) => (
          <li key={letter} class={right.has(letter.toLowerCase()) ? "is-right" : ""}>
            <kbd aria-hidden="true">{letter}</kbd> <PlainText text={text} /> {right.has(letter.toLowerCase()) && <strong>✓ {t("right")}</strong>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Findings({ task }: { task: DraftTask }) {
  return (
    <div class="draft-findings">
      <h3>{t("What the check says")}</h3>
      {task.findings.length === 0 ? (
        <p class="faint">{t("The check found nothing.")}</p>
      ) : (
        <ul>
          {task.findings.map((finding, at) => (
            <li key={at} class={finding.level}>
              <strong>{findingWords()[finding.kind] ?? finding.kind}</strong>{" "}
              <span class="faint">
                <PlainText text={show(finding.what)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FieldProps {
  readonly name: string;
  readonly hint: string;
  readonly title: string;
  readonly note?: string;
  readonly value: string;
  readonly drafted: string;
  readonly lang: string;
  readonly onChange: (text: string) => void;
}

function Field({ name, hint, title, note, value, drafted, lang, onChange }: FieldProps) {
  const isEdited = value.trim() !== drafted.trim();
  return (
    <div class="draft-field">
      <label for={`draft-${name}`}>
        {title} <kbd aria-hidden="true">{hint}</kbd> {isEdited && <em>{t("edited")}</em>}
      </label>
      <textarea
        id={`draft-${name}`}
        name={name}
        lang={lang}
        rows={Math.min(8, Math.max(name === "question" ? 2 : 1, Math.ceil(value.length / 60) + value.split("\n").length - 1))}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={leaveField}
      />
      {isEdited ? <p class="note">{t("Drafted: {text}", { text: drafted })}</p> : note ? <p class="note">{note}</p> : null}
    </div>
  );
}
