// A frame in which a wide table scrolls by itself, so that the page never scrolls sideways.

import type { ComponentChildren } from "preact";

/** A table with more columns is printed across the paper. */
const MOST_UPRIGHT = 8;

export function TableFrame({ label, columns = 0, children }: { label: string; columns?: number; children: ComponentChildren }) {
  return (
    <div class={columns > MOST_UPRIGHT ? "table-frame wide-table" : "table-frame"} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
