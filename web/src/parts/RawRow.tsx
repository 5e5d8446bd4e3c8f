// The row of the journal as it was recorded, fetched when it is opened.

import { useState } from "preact/hooks";
import { errorOf } from "../source/source";
import { useSource } from "../state/source";
import { Failure } from "./Failure";
import { t } from "../words";
import { PlainText } from "./PlainText";

export function RawRow({ run, item, variant }: { run: string; item: string; variant: string }) {
  const source = useSource();
  const [text, setText] = useState("");
  const [next, setNext] = useState<number | null>(0);
  const [problem, setProblem] = useState<Error | null>(null);
  const fetchMore = async (): Promise<void> => {
    if (next === null) return;
    try {
      const part = await source.row(run, item, variant, next, new AbortController().signal);
      setText(text + part.text);
      setNext(part.next);
    } catch (error) {
      setProblem(errorOf(error));
    }
  };
  if (!source.hasRows) return <p class="note raw-row">{t("Recorded rows are not in a saved page. `assay view` shows them.")}</p>;
  return (
    <details class="raw-row" onToggle={(event) => event.currentTarget.open && text === "" && void fetchMore()}>
      <summary>
        <PlainText text={t("Raw row of {variant}", { variant })} />
      </summary>
      {problem && <Failure error={problem} />}
      {text && (
        <pre class="raw" tabIndex={0}>
          <PlainText text={next === null ? indented(text) : text} />
        </pre>
      )}
      {text && next !== null && (
        <button type="button" class="quiet" onClick={() => void fetchMore()}>
          {t("Show more")}
        </button>
      )}
    </details>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
