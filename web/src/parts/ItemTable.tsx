// The table of questions. Only the rows in view are elements of the page (at most 200), whatever
// the length of the run.

import { options } from "preact";
import { memo } from "./memo";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ItemRow, MetricInfo, RunView } from "../api";
import { type Filter, questionAddresses } from "../route";
import { type ItemList, useItems } from "../state/items";
import { useKeys } from "../state/keys";
import { useMedia, useSettings } from "../state/settings";
import { listHeight, rowsInView, rowTop, scrollFor, slots } from "../state/window";
import { oneLine, shortened } from "../text/visible";
import { type Language, t } from "../words";
import { Sign, signOf, Unsure } from "./Sign";
import { Value } from "./Value";

interface Props {
  readonly run: RunView;
  readonly metric: MetricInfo;
  readonly list: ItemList;
  readonly filter: Filter;
  readonly onSort: (part: Partial<Filter>) => void;
  readonly onOpen: (item: string, at: number) => void;
}

const ROW = 36;
const NARROW_LINE = 20;
/** How many questions are loaded for printing. */
const PRINTED = 500;

export function ItemTable(props: Props) {
  const { list, run } = props;
  const { language } = useSettings();
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [current, setCurrent] = useState(-1);
  const isNarrow = useMedia("(max-width: 640px)");
  const lines = 2 + Math.ceil(run.variants.length / 2);
  const rowHeight = isNarrow ? NARROW_LINE * lines + 12 : ROW;
  const rows = list.length;
  useItems(list);
  useScrolling(frame, setView);
  const addressOf = useMemo(() => questionAddresses(run.card.id, props.filter), [run, props.filter]);
  const { first, last } = rowsInView(view.top, view.height, rows, rowHeight);
  useEffect(() => list.show(first, last), [list, first, last, rows]);
  // a list that is read again, because the run goes on, keeps the place
  const shown = JSON.stringify(props.filter);
  useEffect(() => setCurrent(-1), [shown]);
  const move = (step: number): void => {
    const next = Math.min(rows - 1, Math.max(0, current + step));
    setCurrent(next);
    const top = scrollFor(next, view.top, view.height, rows, rowHeight);
    if (top !== null) frame.current?.scrollTo({ top });
  };
  useKeys({
    KeyJ: () => move(1),
    KeyK: () => move(-1),
    Enter: (event) => {
      const row = list.row(current);
      if (row) props.onOpen(row.id, current);
      else if (event.target instanceof HTMLElement) event.target.click();
    },
  });
  const isPrinted = usePrinting(list);
  const [from, to] = isPrinted ? [0, Math.min(rows, list.loaded) - 1] : [first, last];
  const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  return (
    <div class={`items columns-${Math.min(9, run.variants.length)}`} style={{ "--variants": run.variants.length }}>
      <div
        class="items-scroll"
        ref={frame}
        tabIndex={0}
        role="table"
        aria-label={t("Questions and the value of each variant")}
        aria-rowcount={list.total === null ? -1 : list.total + 1}
      >
        <Heads {...props} />
        <div class="items-body" role="rowgroup" style={{ height: `${listHeight(rows, rowHeight)}px` }}>
          {indexes.map((index) => (
            <Row
              key={isPrinted ? index : index % slots(view.height, rowHeight)}
              index={index}
              top={rowTop(index, view.top, view.height, rows, rowHeight)}
              row={list.row(index)}
              metric={props.metric}
              run={run}
              addressOf={addressOf}
              height={rowHeight}
              isCurrent={index === current}
              language={language}
            />
          ))}
        </div>
        {isPrinted && to + 1 < rows && <p class="note">{t("Printed: {n} of {total}.", { n: to + 1, total: list.total ?? "…" })}</p>}
      </div>
    </div>
  );
}

/** Whether the page is being printed: then every row that was loaded is drawn, at once. */
function usePrinting(list: ItemList): boolean {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    void list.prefetch(PRINTED);
    const draw = (isNow: boolean) => (): void => {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- a function that Preact calls without an object
      const later = options.debounceRendering;
      options.debounceRendering = (render) => render();
      setPrinted(isNow);
      if (later) options.debounceRendering = later;
      else delete options.debounceRendering;
    };
    const [before, after] = [draw(true), draw(false)];
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, [list]);
  return isPrinted;
}

/** Follows the scrolling of the frame, once a picture. */
function useScrolling(
  frame: { current: HTMLDivElement | null },
  setView: (view: { top: number; height: number }) => void,
): void {
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    let asked = 0;
    const read = (): void => {
      asked = 0;
      setView({ top: element.scrollTop, height: element.clientHeight });
    };
    const ask = (): void => {
      asked ||= requestAnimationFrame(read);
    };
    read();
    element.addEventListener("scroll", ask, { passive: true });
    const resize = new ResizeObserver(ask);
    resize.observe(element);
    return () => {
      cancelAnimationFrame(asked);
      element.removeEventListener("scroll", ask);
      resize.disconnect();
    };
  }, [frame, setView]);
}

function Heads({ run, filter, onSort }: Props) {
  const sort = (name: string): void =>
    onSort(filter.sort === name ? { sort: name, descending: !filter.descending } : { sort: name, descending: false });
  const arrow = (name: string): string => (filter.sort === name ? (filter.descending ? "↓" : "↑") : "");
  const order = (name: string) => (filter.sort === name ? (filter.descending ? "descending" : "ascending") : "none");
  return (
    <div class="items-head" role="rowgroup">
      <div class="item" role="row">
        <span class="item-id" role="columnheader" aria-sort={order("id")}>
          <button type="button" class="sort" onClick={() => sort("id")}>
            {t("Id")} {arrow("id")}
          </button>
        </span>
        <span class="item-question" role="columnheader">
          {t("Question")}
        </span>
        <span class="item-cells" role="presentation">
          {run.variants.map(({ name, is_baseline }) => (
            <span key={name} class="item-cell" role="columnheader" aria-sort={order(name)}>
              <button type="button" class="sort" onClick={() => sort(name)} title={oneLine(name)}>
                <span class="cut">{shortened(oneLine(name), (run.variants.length > 3 ? 12 : 18) - (is_baseline ? 2 : 0))}</span>
                {is_baseline && run.variants.length > 1 && <span class="faint">◆</span>}
                {arrow(name)}
              </button>
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}

interface RowProps {
  readonly index: number;
  readonly top: number;
  readonly row: ItemRow | null;
  readonly metric: MetricInfo;
  readonly run: RunView;
  readonly addressOf: (id: string, at: number) => string;
  readonly height: number;
  readonly isCurrent: boolean;
  /** A row is drawn again in another language. */
  readonly language: Language;
}

const Row = memo(function Row({ index, top, row, metric, run, addressOf, height, isCurrent }: RowProps) {
  const style = { transform: `translateY(${top}px)`, height: `${height}px` };
  const className = `item ${isCurrent ? "current" : ""} ${index % 2 ? "odd" : ""}`;
  if (!row)
    return (
      <div class={`${className} waiting`} style={style} role="row" aria-rowindex={index + 2}>
        <span class="item-id" role="cell" />
        <span class="item-question" role="cell" />
      </div>
    );
  return (
    <div class={className} style={style} role="row" aria-rowindex={index + 2} aria-current={isCurrent ? "true" : undefined}>
      <span class="item-id" role="cell">
        <a href={addressOf(row.id, index)} title={oneLine(row.id)}>
          {oneLine(row.id)}
        </a>
      </span>
      <span class="item-question" role="cell" title={oneLine(row.question.slice(0, 600))}>
        {oneLine(row.question.slice(0, 300))}
      </span>
      <span class="item-cells" role="presentation">
        {row.cells.map((cell, at) => (
          <span key={at} class="item-cell" role="cell" data-short={shortened(oneLine(run.variants[at]?.name ?? ""), 16)} title={oneLine(run.variants[at]?.name ?? "")}>
            {cell.is_unsure && <Unsure />}
            {cell.status === "scored" || cell.value !== null ? <Value value={cell.value} shown={metric} /> : null}
            <Sign name={signOf(cell)} />
          </span>
        ))}
      </span>
    </div>
  );
});
