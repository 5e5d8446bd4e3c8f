// Keys by their place on the keyboard (`event.code`), so that they work with a Russian layout and
// while an input method is on. Keys typed into a field stay in the field.

import type { TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

/** Calls the action of a key: `KeyJ`, `Slash`, `Shift+Slash`, `Digit1`. */
export function useKeys(keys: KeyMap): void {
  const current = useRef(keys);
  current.current = keys;
  // Before the browser paints: whoever sees the view may press a key at once.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (isTyping(event.target) && event.code !== "Escape") return;
      if (document.querySelector("dialog[open]")) return;
      const action = current.current[(event.shiftKey ? "Shift+" : "") + event.code];
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** Enter and Escape leave a field, so that the keys of the view work again; Shift+Enter is a new line. */
export function leaveField(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  const isEnd = event.key === "Escape" || (event.key === "Enter" && !event.shiftKey && !event.isComposing);
  if (!isEnd) return;
  event.preventDefault();
  event.currentTarget.blur();
}
