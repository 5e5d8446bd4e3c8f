// A command, ready to copy.

import { useState } from "preact/hooks";
import { t } from "../words";

export function CopyLine({ command }: { command: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    setCopied(await copied(command));
  };
  return (
    <div class="copy-line">
      <pre tabIndex={0} aria-label={command}>
        <code>{command}</code>
      </pre>
      <button type="button" class="quiet" onClick={() => void copy()} onBlur={() => setCopied(false)}>
        <span aria-live="polite">{isCopied ? t("Copied") : t("Copy")}</span>
      </button>
    </div>
  );
}

/** Puts a text on the clipboard; pages from a file may need the older way. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- browsers give a page from a file no other way
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}
