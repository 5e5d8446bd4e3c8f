// The list of keys.

import { useEffect, useRef } from "preact/hooks";
import { useLabelWords } from "../label/words";
import { useSettings } from "../state/settings";

export function Help({ onClose }: { onClose: () => void }) {
  const { words } = useSettings();
  const label = useLabelWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const keys: [string[], string][] = [
    [["j"], words.keys.next],
    [["k"], words.keys.previous],
    [["Enter"], words.keys.open],
    [["1", "…", "9"], words.keys.variant],
    [["l"], label.title],
    [["["], words.keys.tab],
    [["u"], words.keys.up],
    [["/"], words.keys.search],
    [["?"], words.keys.help],
  ];
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">{words.keys.title}</h2>
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
      <p class="note">{words.keys.note}</p>
      <button type="button" onClick={() => dialog.current?.close()}>
        {words.close}
      </button>
    </dialog>
  );
}
