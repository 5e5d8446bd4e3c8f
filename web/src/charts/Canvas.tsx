// A drawing on a canvas, as wide as its place. The numbers are in the table below for readers who
// cannot see it.

import { useEffect, useRef } from "preact/hooks";
import { NO_FILTER, runAddress } from "../route";
import { go } from "../state/location";
import type { Drawing } from "./drawing";
import { echarts } from "./echarts";

interface Props {
  readonly drawing: Drawing;
  readonly label: string;
  /** The run whose questions a click opens. */
  readonly run: string;
}

export function Canvas({ drawing, label, run }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const chart = echarts.init(element, null, { renderer: "canvas", devicePixelRatio: Math.max(2, devicePixelRatio) });
    chart.setOption(drawing.option);
    chart.on("click", ({ dataIndex, seriesIndex }) => {
      if (drawing.tags && seriesIndex === 0) openTags(run, drawing.tags(dataIndex));
      const item = drawing.target?.(dataIndex) ?? null;
      if (item !== null) openItem(run, item);
    });
    const resize = new ResizeObserver(() => chart.resize({ height: drawing.height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      chart.dispose();
    };
  }, [drawing, run]);
  return <div class="canvas" ref={place} role="img" aria-label={label} style={{ height: `${drawing.height}px` }} />;
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
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height: drawing.height });
  chart.setOption(drawing.option);
  const text = chart.renderToSVGString();
  chart.dispose();
  return text;
}

/** The drawing as PNG, on a canvas of its own, so that it is the same whatever the window. */
export function pngAddress(drawing: Drawing, width: number, paper: string): string {
  const element = document.createElement("canvas");
  const chart = echarts.init(element, null, { renderer: "canvas", devicePixelRatio: 2, width, height: drawing.height });
  chart.setOption(drawing.option);
  const address = chart.getDataURL({ type: "png", pixelRatio: 2, backgroundColor: paper });
  chart.dispose();
  return address;
}
