// What a chart is made of: the drawing, its height, and its numbers as a table.

import type { ChartView, MetricInfo, RunView } from "../api";
import { type Language, show, tx } from "../words";
import type { Palette } from "./colour";
import type { Option } from "./echarts";

export type TableCell = string | number | null;

export interface Drawing {
  readonly option: Option;
  readonly height: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
  /** What a click on the n-th mark of a series opens, if anything. */
  readonly target?: (dataIndex: number) => string | null;
  /** The tags of the questions behind the n-th mark of the first series. */
  readonly tags?: (dataIndex: number) => string[];
  /** The list of questions behind the n-th mark of the first series, in a file of maps. */
  readonly listing?: (dataIndex: number) => number | null;
  /** The run of these tags, if it is not the one that is shown. */
  readonly run?: string;
  /** What the arrow keys reach. */
  readonly places?: readonly Place[];
  /** Narrower than `least` it scrolls in its frame; wider than `most` it would be pulled apart. */
  readonly widths?: { readonly least: number; readonly most: number };
}

/** A mark in a row and a column. */
export interface Place {
  readonly series: number;
  readonly index: number;
  readonly row: number;
  readonly column: number;
  /** What is said about it. */
  readonly label: string;
}

/** What the reader chose for a chart. */
export interface ChartChoice {
  readonly isSafe: boolean;
  readonly panel: number;
  readonly isParsedOnly: boolean;
  readonly isMeanOfQuestions: boolean;
}

/** What charts need of the run that they are of. */
export type ChartOwner = Pick<RunView, "variants" | "metrics"> & { readonly card: Pick<RunView["card"], "id" | "name"> };

export interface DrawContext {
  readonly chart: ChartView;
  readonly run: ChartOwner;
  readonly language: Language;
  readonly palette: Palette;
  readonly choice: ChartChoice;
  readonly isNarrow: boolean;
}

export function variantNames(run: ChartOwner): string[] {
  return run.variants.map(({ name }) => name);
}

const SHARE: Pick<MetricInfo, "kind" | "unit" | "is_bounded"> = { kind: "share", unit: "", is_bounded: true };

/** How the values of a chart's metric are shown. */
export function metricOf(run: ChartOwner, name: string): Pick<MetricInfo, "kind" | "unit" | "is_bounded"> {
  return run.metrics.find((metric) => metric.name === name) ?? SHARE;
}

const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';

/** The parts that every chart shares. A tip is built of text nodes, so the data cannot bring markup. */
export function frame({ palette }: DrawContext): Option {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, fontSize: 12, color: palette.text },
    tooltip: {
      trigger: "item",
      confine: true,
      className: "tip",
      backgroundColor: palette.paper,
      borderColor: palette.line,
      padding: 0,
      transitionDuration: 0,
      textStyle: { color: palette.text, fontSize: 12 },
    },
  };
}

/** The legend above a drawing; a click switches a series off and on. */
export function legend({ palette }: DrawContext, names: readonly string[]): Option {
  return {
    type: "scroll",
    top: 0,
    left: 0,
    right: 0,
    itemWidth: 12,
    itemHeight: 10,
    itemGap: 16,
    icon: "roundRect",
    inactiveColor: palette.line,
    pageIconColor: palette.faint,
    pageTextStyle: { color: palette.faint },
    textStyle: { color: palette.text, fontSize: 12 },
    data: [...names],
  };
}

export function axisStyle({ palette }: DrawContext): Option {
  return {
    axisLine: { show: true, lineStyle: { color: palette.faint } },
    axisTick: { show: false },
    axisLabel: { color: palette.text, fontSize: 12, hideOverlap: true },
    splitLine: { lineStyle: { color: palette.line } },
    nameTextStyle: { color: palette.faint, fontSize: 12 },
  };
}

/** The title of a value axis, under its middle. */
export function axisName(text: string, gap = 28): Option {
  return { name: text, nameLocation: "middle", nameGap: gap };
}

/** The title of an upright axis: above it, where it is read without turning one's head. */
export function sideName(text: string, place: "start" | "end" = "end"): Option {
  return { name: text, nameLocation: place, nameGap: 12, nameTextStyle: { align: "left", fontSize: 12, padding: [0, 0, 0, -8] } };
}

export function axisTitles(context: DrawContext): { x: string; y: string } {
  return { x: show(context.chart.x), y: show(context.chart.y) };
}

/** The titles of the columns with the ends of an interval. */
export function ends(name: string): [string, string] {
  return [`${name}: ${tx("interval", "from")}`, `${name}: ${tx("interval", "to")}`];
}

/** A tip: a name, and facts under it. */
export function tip(title: string, facts: readonly (readonly [string, string])[]): HTMLElement {
  const box = document.createElement("div");
  box.className = "tip-box";
  const head = document.createElement("strong");
  head.textContent = title;
  const list = document.createElement("dl");
  for (const [name, value] of facts) {
    if (!value) continue;
    const term = document.createElement("dt");
    term.textContent = name;
    const detail = document.createElement("dd");
    detail.textContent = value;
    list.append(term, detail);
  }
  box.append(head, list);
  return box;
}

/** A name that fits beside an axis; the whole of it is in the tip and in the table. */
export function shortName(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
