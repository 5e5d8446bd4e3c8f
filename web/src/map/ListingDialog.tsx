// The questions behind a tile with the answers to them, those that lost points first.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Entry, ListedQuestion, ListedReply, Listing } from "../api";
import { PlainText } from "../parts/PlainText";
import { useSettings } from "../state/settings";
import { count, percentage, significant } from "../text/number";
import { t } from "../words";

interface Props {
  readonly listing: Listing;
  readonly questions: readonly ListedQuestion[];
  readonly tile: string;
  readonly isParsedOnly: boolean;
  readonly onClose: () => void;
}

export function ListingDialog({ listing, questions, tile, isParsedOnly, onClose }: Props) {
  const { language } = useSettings();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isShort, setShort] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const isPair = listing.models.length > 1;
  const entries = listing.entries.filter(({ replies }) => {
    if (isParsedOnly && replies.some(({ parsed }) => !parsed)) return false;
    if (!isShort) return true;
    return isPair ? replies[0]?.score !== replies[1]?.score : (replies[0]?.score ?? 0) < 1;
  });
  const [left, good] = listing.more[isParsedOnly ? "parsed" : "all"] ?? [0, 0];
  const numbers = { n: count(left, language), right: count(good, language), wrong: count(left - good, language), changed: count(good, language) };
  return (
    <dialog ref={dialog} class="listing" onClose={onClose} aria-labelledby="listing-title">
      <h2 id="listing-title">
        <PlainText text={tile} />
      </h2>
      <label>
        <input type="checkbox" checked={isShort} onChange={(event) => setShort(event.currentTarget.checked)} /> {isPair ? t("only those that changed") : t("only those not fully right")}
      </label>
      <ol tabIndex={0} aria-labelledby="listing-title">
        {entries.map((entry, at) => (
          <ListedEntry key={at} entry={entry} question={questions[entry.question]} models={listing.models} />
        ))}
        {left > 0 && <li class="note">{isPair ? t("… and {n} more: {changed} changed.", numbers) : t("… and {n} more: {right} right, {wrong} not fully right.", numbers)}</li>}
        {!entries.length && !left && <li class="note">{t("Nothing to list.")}</li>}
      </ol>
      <button type="button" onClick={() => dialog.current?.close()}>
        {t("Close")}
      </button>
    </dialog>
  );
}

function ListedEntry({ entry, question, models }: { entry: Entry; question: ListedQuestion | undefined; models: readonly string[] }) {
  const { language } = useSettings();
  if (!question) return null;
  const [start, end] = question.position ?? [];
  const place = start === undefined || end === undefined ? "" : t("tokens {start}–{end} of the novel", { start: count(start, language), end: count(end, language) });
  return (
    <li>
      <p class="question">
        <PlainText text={question.text} />
      </p>
      {question.choices.length > 0 && (
        <ul class="choices">
          {question.choices.map(([letter, text]) => (
            <li key={letter} class={question.right.includes(letter) ? "correct" : ""}>
              <span aria-hidden="true">{question.right.includes(letter) ? "✓" : ""}</span>
              <PlainText text={`${letter}. ${text}`} />
            </li>
          ))}
        </ul>
      )}
      <p class="note">
        <PlainText text={[question.correct && `${t("right answer")}: ${question.correct}`, place].filter(Boolean).join(" · ")} />
      </p>
      {entry.replies.map((reply, at) => (
        <ShownReply key={at} reply={reply} model={models[at] ?? ""} />
      ))}
    </li>
  );
}

function ShownReply({ reply, model }: { reply: ListedReply; model: string }) {
  const { language } = useSettings();
  const facts = [
    `${t("score")} ${significant(reply.score, language)}`,
    reply.parsed ? "" : t("unparsed"),
    reply.depth === null ? "" : t("placed at {depth}", { depth: percentage(reply.depth, language, 1) }),
  ];
  return (
    <p class="reply">
      <strong>
        <PlainText text={model} />
      </strong>
      <span>
        <PlainText text={reply.answer || t("(nothing)")} />
      </span>
      <small class={reply.score === 1 ? "full" : "part"}>{facts.filter(Boolean).join(" · ")}</small>
    </p>
  );
}
