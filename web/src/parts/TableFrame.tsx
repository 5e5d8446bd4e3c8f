// A frame in which a wide table scrolls by itself, so that the page never scrolls sideways. A shadow
// at its edge says that there is more: many systems show a scroll bar only while one scrolls.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A table with more columns is printed across the paper. */
const MOST_UPRIGHT = 8;

export function TableFrame({ label, columns = 0, children }: { label: string; columns?: number; children: ComponentChildren }) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return;
    const tell = () => {
      const rest = box.scrollWidth - box.clientWidth - box.scrollLeft;
      box.toggleAttribute("data-more", rest > 1);
    };
    tell();
    box.addEventListener("scroll", tell, { passive: true });
    const observer = new ResizeObserver(tell);
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    return () => {
      box.removeEventListener("scroll", tell);
      observer.disconnect();
    };
  }, []);
  return (
    <div ref={frame} class={columns > MOST_UPRIGHT ? "table-frame wide-table" : "table-frame"} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
