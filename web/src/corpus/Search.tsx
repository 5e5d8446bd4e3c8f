// The best passages of the corpus for some words; a passage can become the gold of a question.

import { useEffect, useRef, useState } from "preact/hooks";
import type { AskedQuestion, CorpusView, FoundPassage, FoundPassages } from "../api";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { PlainText } from "../parts/PlainText";
import { SelectField } from "../parts/SelectField";
import type { SearchRoute } from "../route";
import { errorOf } from "../source/source";
import { useLoad } from "../state/load";
import { replace } from "../state/location";
import { useSettings } from "../state/settings";
import { significant } from "../text/number";
import { visible } from "../text/visible";
import { t, tn } from "../words";
import { changeGold, corpus, search } from "./call";

const LIMIT = 10;

const shown = (name: string): readonly [string, string] => [name, visible(name)];

export function Search({ route }: { route: SearchRoute }) {
  const view = useLoad(`corpus ${route.path} ${route.question}`, (signal) => corpus(route.path, route.question, signal));
  const [question, setQuestion] = useState<AskedQuestion | null>(null);
  useEffect(() => setQuestion(view.data?.question ?? null), [view.data]);
  const found = useFound(route);
  if (view.error) return <Failure error={view.error} again={view.again} />;
  return (
    <article class="corpus">
      <h1>{t("Search the documents")}</h1>
      <SearchForm key={`${route.text} ${route.source}`} route={route} sources={found.data?.sources ?? []} isBusy={found.isBusy} />
      {view.data && <ForQuestion route={route} view={view.data} question={question} />}
      {found.error && <Failure error={found.error} />}
      {found.isBusy ? <Loading /> : found.data ? <Passages found={found.data} question={question} onChange={setQuestion} /> : <p class="faint">{t("Type what a passage should say. The passages are found as the reference pipeline finds them.")}</p>}
    </article>
  );
}

interface Search {
  readonly data: FoundPassages | null;
  readonly error: Error | null;
  readonly isBusy: boolean;
}

/** Asks for the passages of the address; an answer that comes too late is left alone. */
function useFound({ text, source }: SearchRoute): Search {
  const [state, setState] = useState<Search>({ data: null, error: null, isBusy: false });
  useEffect(() => {
    if (!text.trim()) {
      setState({ data: null, error: null, isBusy: false });
      return;
    }
    let isWanted = true;
    setState((before) => ({ ...before, error: null, isBusy: true }));
    search({ text, source, limit: LIMIT }).then(
      (data) => isWanted && setState({ data, error: null, isBusy: false }),
      (error: unknown) => isWanted && setState({ data: null, error: errorOf(error), isBusy: false }),
    );
    return () => {
      isWanted = false;
    };
  }, [text, source]);
  return state;
}

function SearchForm({ route, sources, isBusy }: { route: SearchRoute; sources: readonly string[]; isBusy: boolean }) {
  const [text, setText] = useState(route.text);
  const known = route.source && !sources.includes(route.source) ? [route.source, ...sources] : sources;
  const submit = (event: Event): void => {
    event.preventDefault();
    replace({ ...route, text });
  };
  return (
    <form class="corpus-form" role="search" onSubmit={submit}>
      <input type="search" aria-label={t("Words, a phrase or a question")} placeholder={t("Words, a phrase or a question")} value={text} maxLength={1000} onInput={(event) => setText(event.currentTarget.value)} />
      <button type="submit" class="main" disabled={isBusy || !text.trim()}>
        {isBusy ? t("searching…") : t("Search")}
      </button>
      {known.length > 1 && (
        <SelectField
          label={t("Document")}
          value={route.source}
          choices={[["", t("any document")], ...known.map(shown)]}
          onChoose={(source) => replace({ ...route, text, source })}
        />
      )}
    </form>
  );
}

/** The question whose gold is looked for: its file, its text, and what is gold now. */
function ForQuestion({ route, view, question }: { route: SearchRoute; view: CorpusView; question: AskedQuestion | null }) {
  if (!view.files.length && !route.path) return <p class="note">{t("There is no file questions/*.jsonl in this workspace, so gold cannot be written.")}</p>;
  const files = route.path && !view.files.includes(route.path) ? [route.path, ...view.files] : view.files;
  const ids = route.question && !view.ids.includes(route.question) ? [route.question, ...view.ids] : view.ids;
  return (
    <section class="corpus-question" aria-label={t("Gold for a question")}>
      <h2>{t("Gold for a question")}</h2>
      <div class="filter-line">
        <SelectField
          label={t("File of questions")}
          value={route.path || files[0]}
          choices={files.map(shown)}
          onChoose={(path) => replace({ ...route, path, question: "" })}
        />
        <SelectField
          label={t("Question")}
          value={route.question}
          choices={[["", t("none, only search")], ...ids.map(shown)]}
          onChoose={(id) => replace({ ...route, path: route.path || (files[0] ?? ""), question: id })}
        />
      </div>
      {view.problem && (
        <p class="error" role="alert">
          <PlainText text={view.problem} />
        </p>
      )}
      {question && (
        <>
          <p class="asked-text">
            <PlainText text={question.text} />
          </p>
          <p class="faint" role="status">
            {question.gold.length ? tn("{n} gold passage", "{n} gold passages", question.gold.length) : t("This question has no gold passage yet.")}
          </p>
        </>
      )}
    </section>
  );
}

interface PassagesProps {
  readonly found: FoundPassages;
  readonly question: AskedQuestion | null;
  readonly onChange: (question: AskedQuestion) => void;
}

function Passages({ found, question, onChange }: PassagesProps) {
  const [problem, setProblem] = useState<Error | null>(null);
  const [isSaved, setSaved] = useState(false);
  const isBusy = useRef(false);
  const change = async (passage: FoundPassage, isGold: boolean): Promise<void> => {
    if (!question || isBusy.current) return;
    isBusy.current = true;
    try {
      onChange(await changeGold({ path: question.path, question: question.id, version: question.version, passage, is_gold: isGold }));
      setProblem(null);
      setSaved(true);
    } catch (error) {
      setProblem(errorOf(error));
    } finally {
      isBusy.current = false;
    }
  };
  if (!found.passages.length) return <p class="empty">{t("No passage was found.")}</p>;
  return (
    <section class="passages" aria-label={t("Search the documents")}>
      <h2>{tn("{n} passage, the best first", "{n} passages, the best first", found.passages.length)}</h2>
      {problem && <Failure error={problem} />}
      {isSaved && question && (
        <p class="note" role="status">
          <PlainText text={`${t("Written into {file}.", { file: question.path })} ${t("Recorded answers keep the gold they were compared with. The next run of the experiment compares them with the new gold and asks nothing again.")}`} />
        </p>
      )}
      <ol>
        {found.passages.map((passage, index) => (
          <Found key={passage.id} passage={passage} number={index + 1} isGold={question ? isGoldOf(question, passage) : null} onChange={(isGold) => void change(passage, isGold)} />
        ))}
      </ol>
    </section>
  );
}

/** Whether a passage is gold: by its id, or by a span, which the server writes as its text. */
function isGoldOf({ gold }: AskedQuestion, { id, source, text }: FoundPassage): boolean {
  return gold.includes(id) || gold.includes(`${source}: ${Array.from(text).slice(0, 200).join("")}`);
}

interface FoundProps {
  readonly passage: FoundPassage;
  readonly number: number;
  /** Null if no question is chosen. */
  readonly isGold: boolean | null;
  readonly onChange: (isGold: boolean) => void;
}

function Found({ passage, number, isGold, onChange }: FoundProps) {
  const { language } = useSettings();
  const facts = [
    passage.source,
    passage.page === null ? "" : t("p. {n}", { n: passage.page }),
    t("score {n}", { n: significant(passage.score, language) }),
  ];
  return (
    <li class={`passage ${isGold ? "gold" : ""}`}>
      <p class="passage-head">
        <span class="faint">[{number}]</span>
        {isGold && (
          <span class="gold-mark">
            <span aria-hidden="true">◆</span> {t("gold")}
          </span>
        )}
        <span class="faint">
          <PlainText text={facts.filter(Boolean).join(" · ")} />
        </span>
        <code class="faint">
          <PlainText text={passage.id} />
        </code>
      </p>
      <div class="text">
        <PlainText text={passage.text} />
      </div>
      {isGold !== null && (
        <p>
          <button type="button" class={isGold ? "quiet" : ""} aria-label={`${isGold ? t("Take away from the gold") : t("Use as gold")}: ${passage.id}`} onClick={() => onChange(!isGold)}>
            {isGold ? t("Take away from the gold") : t("Use as gold")}
          </button>
        </p>
      )}
    </li>
  );
}
