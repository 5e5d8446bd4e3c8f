// A text with the words that differ from another one: taken out struck through, put in underlined.

import { useMemo } from "preact/hooks";
import { type Change, sharedPart, wordDifference } from "../text/diff";
import { t } from "../words";
import { PlainText } from "./PlainText";

/** Texts with less in common than this are two texts, not one with changes. */
const LEAST_SHARED = 0.25;

export function Difference({ before, after, name }: { before: string; after: string; name: string }) {
  const changes = useMemo(() => wordDifference(before, after), [before, after]);
  if (!changes || sharedPart(changes) < LEAST_SHARED)
    return (
      <>
        <div class="text">
          <PlainText text={after} />
        </div>
        <p class="note">{t("Too different from {baseline} to mark single words.", { baseline: name })}</p>
      </>
    );
  return (
    <>
      <div class="text">
        {changes.map((change, at) => (
          <Part key={at} change={change} />
        ))}
      </div>
      <p class="note">{t("Words that differ from {baseline} are marked: taken out struck through, put in underlined.", { baseline: name })}</p>
    </>
  );
}

function Part({ change: { kind, text } }: { change: Change }) {
  const shown = <PlainText text={text} />;
  if (kind === "removed") return <del title={t("taken out")}>{shown}</del>;
  if (kind === "added") return <ins title={t("put in")}>{shown}</ins>;
  return shown;
}
