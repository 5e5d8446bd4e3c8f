// A new system: an address that answers with JSON, or an OpenAI-type model, with a test question.

import { useState } from "preact/hooks";
import type { NewSystem, Tried } from "../api";
import { reasonOf } from "../parts/Failure";
import { PlainText } from "../parts/PlainText";
import { errorOf } from "../source/source";
import { useSettings } from "../state/settings";
import { duration } from "../text/number";
import { t } from "../words";
import { tryQuestion } from "./call";
import type { Editing } from "./state";

const EMPTY: NewSystem = { name: "", kind: "http", url: "", model: "", api_key_env: "", answer: "answer" };

export function SystemForm({ editing }: { editing: Editing }) {
  const [system, setSystem] = useState<NewSystem>(EMPTY);
  const set = (change: Partial<NewSystem>): void => setSystem({ ...system, ...change });
  const isReady = /^\w[\w.-]*$/.test(system.name) && /^https?:\/\/./.test(system.url) && (system.kind === "http" || system.model.trim() !== "");
  const texts: [keyof NewSystem, string, string][] = [
    ["name", t("Name"), "my-service"],
    ["url", t("Address"), system.kind === "http" ? "http://127.0.0.1:8000/ask" : "https://…/v1"],
    ...(system.kind === "http"
      ? ([["answer", t("Where the answer is (JMESPath)"), "answer"]] as [keyof NewSystem, string, string][])
      : ([
          ["model", t("Model"), ""],
          ["api_key_env", t("Variable with the API key"), "OPENAI_API_KEY"],
        ] as [keyof NewSystem, string, string][])),
  ];
  const add = (): void => {
    editing.addSystem(system);
    setSystem(EMPTY);
  };
  return (
    <>
      <details class="new-system">
        <summary>{t("A new system…")}</summary>
        <div class="new-system-fields">
          <label>
            <span>{t("Kind")}</span>
            <select value={system.kind} onChange={(event) => set({ kind: event.currentTarget.value as NewSystem["kind"] })}>
              <option value="http">{t("address that answers with JSON")}</option>
              <option value="openai">{t("OpenAI-type model")}</option>
            </select>
          </label>
          {texts.map(([key, title, hint]) => (
            <label key={key}>
              <span>{title}</span>
              <input type="text" name={`system-${key}`} spellcheck={false} placeholder={hint} value={system[key]} onInput={(event) => set({ [key]: event.currentTarget.value })} />
            </label>
          ))}
          <button type="button" disabled={!isReady} onClick={add}>
            {t("Add it")}
          </button>
          <p class="note">{t("Python and command systems, and keys for new addresses, are written into the file with an editor.")}</p>
        </div>
      </details>
      {editing.draft.system && <TestQuestion editing={editing} />}
    </>
  );
}

function TestQuestion({ editing }: { editing: Editing }) {
  const { language } = useSettings();
  const [question, setQuestion] = useState(editing.checked?.questions?.preview[0]?.[1] ?? "");
  const [tried, setTried] = useState<Tried | null>(null);
  const [isBusy, setBusy] = useState(false);
  const ask = (): void => {
    setBusy(true);
    tryQuestion({ text: editing.text, system: editing.draft.system, question })
      .then(setTried, (error: unknown) => setTried({ answer: null, problem: reasonOf(errorOf(error)), elapsed_s: null }))
      .finally(() => setBusy(false));
  };
  return (
    <details class="test-question">
      <summary>{t("Ask a test question")}</summary>
      <div class="variable-line">
        <input type="text" aria-label={t("Ask a test question")} value={question} onInput={(event) => setQuestion(event.currentTarget.value)} />
        <button type="button" disabled={!question.trim() || isBusy} onClick={ask}>
          {t("Ask")}
        </button>
      </div>
      {tried && (
        <p role="status" class={tried.problem ? "error" : "text"}>
          {tried.problem ? <PlainText text={tried.problem} /> : <PlainText text={tried.answer ?? ""} />}
          {tried.elapsed_s !== null && <small> · {t("Answer after {time}", { time: duration(tried.elapsed_s, language) })}</small>}
        </p>
      )}
    </details>
  );
}
