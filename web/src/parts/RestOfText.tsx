// The rest of a very long text, fetched part by part when the reader asks for it.

import { useState } from "preact/hooks";
import { errorOf, type TextCall } from "../source/source";
import { useSettings } from "../state/settings";
import { useSource } from "../state/source";
import { count } from "../text/number";
import { Failure } from "./Failure";
import { PlainText } from "./PlainText";
import { t } from "../words";

interface Props {
  readonly place: Omit<TextCall, "offset">;
  /** How many characters are shown already, in code points. */
  readonly from: number;
}

export function RestOfText({ place, from }: Props) {
  const { language } = useSettings();
  const source = useSource();
  const [parts, setParts] = useState<readonly string[]>([]);
  const [next, setNext] = useState<number | null>(from);
  const [total, setTotal] = useState<number | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const fetchMore = async (): Promise<void> => {
    if (next === null) return;
    try {
      const part = await source.text({ ...place, offset: next }, new AbortController().signal);
      setParts([...parts, part.text]);
      setNext(part.next);
      setTotal(part.total);
    } catch (error) {
      setProblem(errorOf(error));
    }
  };
  if (!source.hasRows) return <p class="note">{t("The rest of this text is not in the saved page. `assay view` shows it.")}</p>;
  return (
    <>
      {parts.map((text, at) => (
        <div key={at} class="text">
          <PlainText text={text} />
        </div>
      ))}
      {problem && <Failure error={problem} />}
      {next !== null && (
        <button type="button" class="quiet" onClick={() => void fetchMore()}>
          {t("Show more")} {total !== null && `(${count(next, language)} / ${count(total, language)})`}
        </button>
      )}
    </>
  );
}
