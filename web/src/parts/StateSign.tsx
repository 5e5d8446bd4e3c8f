// The state of a run as a sign and a word.

import { useSettings } from "../state/settings";

const SIGNS: Record<string, string> = {
  complete: "✓",
  partial: "◐",
  running: "●",
  failed: "✗",
  unreadable: "!",
};

export function StateSign({ state }: { state: string }) {
  const { words } = useSettings();
  return (
    <span class={`state ${state in SIGNS ? state : ""}`}>
      <span aria-hidden="true">{SIGNS[state] ?? "·"}</span> {words.states[state] ?? state}
    </span>
  );
}
