// A frame in which a wide table scrolls by itself, so that the page never scrolls sideways.

import type { ComponentChildren } from "preact";

export function TableFrame({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
