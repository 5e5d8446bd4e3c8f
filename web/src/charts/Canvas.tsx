// A drawing on a canvas, as wide as its place. The arrow keys move between its tiles; the numbers are
// in the table below for readers who cannot see it.

import type { EChartsType } from "echarts/core";
import { useEffect, useRef, useState } from "preact/hooks";
import { NO_FILTER, runAddress } from "../route";
import { go } from "../state/location";
import type { Drawing, Place } from "./drawing";
import { echarts } from "./echarts";

interface Props {
  readonly drawing: Drawing;
  readonly label: string;
  /** The run whose questions a click opens; empty if there is none. */
  readonly run: string;
  /** Opens the questions of a tile in a file of maps. */
  readonly onList?: (listing: number, tile: string) => void;
}

export function Canvas({ drawing, label, run, onList }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef<EChartsType | null>(null);
  const [at, setAt] = useState<Place | null>(null);
  const open = useRef<(series: number, index: number) => void>(() => undefined);
  open.current = (series, index) => {
    const listing = series === 0 ? (drawing.listing?.(index) ?? null) : null;
    const place = drawing.places?.find((each) => each.series === series && each.index === index);
    if (listing !== null && onList) {
      onList(listing, place?.label.split(": ")[0] ?? "");
      return;
    }
    if (run && drawing.tags && series === 0) openTags(run, drawing.tags(index));
    const item = drawing.target?.(index) ?? null;
    if (item !== null) openItem(run, item);
  };
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const chart = echarts.init(element, null, { renderer: "canvas", devicePixelRatio: Math.max(2, devicePixelRatio) });
    drawn.current = chart;
    chart.setOption(drawing.option);
    chart.on("click", ({ dataIndex, seriesIndex }) => open.current(seriesIndex ?? 0, dataIndex));
    const resize = new ResizeObserver(() => chart.resize({ height: drawing.height }));
    resize.observe(element);
    setAt(null);
    return () => {
      resize.disconnect();
      chart.dispose();
      drawn.current = null;
    };
  }, [drawing]);
  const { places, widths } = drawing;
  const show = (place: Place | null): void => {
    const mark = (type: string, { series, index }: Place): void => drawn.current?.dispatchAction({ type, seriesIndex: series, dataIndex: index });
    if (at) mark("downplay", at);
    if (place) {
      mark("highlight", place);
      mark("showTip", place);
    } else drawn.current?.dispatchAction({ type: "hideTip" });
    setAt(place);
  };
  const press = (event: KeyboardEvent): void => {
    if (!places?.length || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") show(null);
    if (event.key === "Enter" && at) open.current(at.series, at.index);
    const next = nextPlace(places, at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    show(next);
  };
  const size = widths ? { minWidth: `${widths.least}px`, maxWidth: `${widths.most}px` } : {};
  return (
    <div class="canvas-frame">
      <div
        class="canvas"
        ref={frame}
        role="img"
        aria-label={label}
        tabIndex={places ? 0 : undefined}
        onKeyDown={press}
        onBlur={() => show(null)}
        style={{ height: `${drawing.height}px`, ...size }}
      />
      {places && (
        <p class="unseen" aria-live="polite">
          {at?.label ?? ""}
        </p>
      )}
    </div>
  );
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Where a key leads; the first tile if there was none, and `undefined` if the key leads nowhere. */
export function nextPlace(places: readonly Place[], from: Place | null, key: string): Place | undefined {
  const find = (row: number, column: number): Place | undefined => places.find((each) => each.row === row && each.column === column);
  const step = STEPS[key];
  if (!step && key !== "Home" && key !== "End") return undefined;
  if (!from) return find(0, 0);
  if (step) return find(from.row + step[0], from.column + step[1]) ?? from;
  const columns = places.filter(({ row }) => row === from.row).map(({ column }) => column);
  return find(from.row, key === "Home" ? Math.min(...columns) : Math.max(...columns));
}

function openItem(run: string, item: string): void {
  go({ screen: "question", run, item, at: null, chosen: "", filter: NO_FILTER });
}

function openTags(run: string, tags: readonly string[]): void {
  const tag = tags.join("\n");
  if (tag) location.hash = runAddress(run, "questions", { filter: { ...NO_FILTER, tag } });
}

/** The drawing as SVG text, without a place on the page. */
export function svgText(drawing: Drawing, width: number): string {
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: fileWidth(drawing, width), height: drawing.height });
  chart.setOption(drawing.option);
  const text = chart.renderToSVGString();
  chart.dispose();
  return text;
}

/** The drawing as PNG, on a canvas of its own, so that it is the same whatever the window. */
export function pngAddress(drawing: Drawing, width: number, paper: string): string {
  const element = document.createElement("canvas");
  const chart = echarts.init(element, null, { renderer: "canvas", devicePixelRatio: 2, width: fileWidth(drawing, width), height: drawing.height });
  chart.setOption(drawing.option);
  const address = chart.getDataURL({ type: "png", pixelRatio: 2, backgroundColor: paper });
  chart.dispose();
  return address;
}

function fileWidth({ widths }: Drawing, width: number): number {
  return widths ? Math.min(Math.max(width, widths.least), widths.most) : width;
}
