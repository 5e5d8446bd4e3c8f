// The list of keys.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../words";

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const keys: [string[], string][] = [
    [["j"], t("next row or question")],
    [["k"], t("previous row or question")],
    [["Enter"], t("open the chosen row")],
    [["1", "…", "9"], t("choose a variant")],
    [["l"], t("Label answers")],
    [["["], t("next or previous tab of a run")],
    [["u"], t("up: question, questions, run, runs")],
    [["/"], t("search")],
    [["?"], t("this help")],
  ];
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">{t("Keys")}</h2>
      <dl class="keys">
        {keys.map(([names, meaning]) => (
          <div key={meaning}>
            <dt>
              {names.map((name) => (name === "…" ? " … " : <kbd key={name}>{name}</kbd>))}
              {names[0] === "[" && (
                <>
                  {" "}
                  <kbd>]</kbd>
                </>
              )}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="note">{t("Keys are found by their place on the keyboard, whatever the layout.")}</p>
      <button type="button" onClick={() => dialog.current?.close()}>
        {t("Close")}
      </button>
    </dialog>
  );
}
