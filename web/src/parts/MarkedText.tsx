// A text of the data with marked stretches.

import { stretches } from "../text/stretch";
import { PlainText } from "./PlainText";

export function MarkedText({ text, spans }: { text: string; spans: readonly (readonly [number, number])[] }) {
  return (
    <>
      {stretches(text, spans).map((part, at) =>
        part.isMarked ? (
          <mark key={at}>
            <PlainText text={part.text} />
          </mark>
        ) : (
          <PlainText key={at} text={part.text} />
        ),
      )}
    </>
  );
}
