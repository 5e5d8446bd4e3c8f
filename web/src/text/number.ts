// Numbers as people read them. A decimal point in every language, as in the reports and the CSV
// files; thousands separated as the language does; a real minus sign; "–" for undefined.

import type { Interval, MetricInfo } from "../api";
import { GROUPED_FROM, MINUS, MISSING, PERCENT, SMALLEST_P, THOUSANDS } from "../look";
import type { Language } from "../words";

/** How a metric's values are shown. */
export type Shown = Pick<MetricInfo, "kind" | "unit">;

/** A whole number with its thousands separated. */
export function count(value: number | null | undefined, language: Language): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return grouped(Math.abs(Math.round(value)).toString(), value < 0, language);
}

/** A number with three significant digits. */
export function significant(value: number, language: Language): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-6) return value.toPrecision(3).replace("-", MINUS);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size)));
  const rounded = size >= 1000 ? Math.round(size).toString() : size.toFixed(digits);
  return grouped(trimmed(rounded), value < 0, language);
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

function grouped(digits: string, isNegative: boolean, language: Language): string {
  const [whole = "", part] = digits.split(".");
  const separated =
    whole.length >= GROUPED_FROM[language]
      ? whole.replace(/\B(?=(\d{3})+$)/g, THOUSANDS[language])
      : whole;
  const sign = isNegative && /[1-9]/.test(digits) ? MINUS : "";
  return sign + (part === undefined ? separated : `${separated}.${part}`);
}

function isShare({ kind }: Shown): boolean {
  return kind === "rate" || kind === "share";
}

/** A value of a metric: 0.833, 1.25, $0.0012. The unit is in the title of the metric. */
export function metricValue(value: number | null | undefined, shown: Shown, language: Language): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  if (isShare(shown)) return value.toFixed(3).replace("-", MINUS);
  if (shown.kind === "money") return money(value, language);
  return significant(value, language);
}

/** An interval of a metric's values: [0.58, 0.71]. */
export function metricInterval(interval: Interval | null | undefined, shown: Shown, language: Language): string {
  if (!interval) return "";
  const end = (value: number): string =>
    isShare(shown) ? value.toFixed(3).replace("-", MINUS) : significant(value, language);
  return `[${end(interval.low)}, ${end(interval.high)}]`;
}

/** The number of a difference with its sign: in points for shares, in the metric's unit otherwise. */
export function differenceNumber(value: number | null | undefined, shown: Shown, language: Language): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  const size = Math.abs(value);
  const number = isShare(shown) ? (size * 100).toFixed(1) : significant(size, language);
  if (!/[1-9]/.test(number)) return number;
  return (value > 0 ? "+" : MINUS) + number;
}

/** The interval of a difference, each end with its sign. */
export function differenceInterval(interval: Interval | null | undefined, shown: Shown, language: Language): string {
  if (!interval) return "";
  const low = differenceNumber(interval.low, shown, language);
  return `[${low}, ${differenceNumber(interval.high, shown, language)}]`;
}

/** Whether differences of this metric are shown in points of a hundred. */
export function inPoints(shown: Shown): boolean {
  return isShare(shown);
}

/** "p = 0.004", "p < 0.001". */
export function probability(p: number | null): string {
  if (p === null) return "";
  return p < SMALLEST_P ? `p < ${SMALLEST_P}` : `p = ${p.toFixed(3)}`;
}

/** A share from 0 to 1 as a percentage with its sign. */
export function percentage(share: number | null, language: Language, digits = 2): string {
  return share === null ? MISSING : `${(100 * share).toFixed(digits)}${PERCENT[language]}`;
}

/** A share as a percentage on a tile; it reads 0 or 100 only if the share is exactly 0 or 1. */
export function shortPercent(share: number, digits: 0 | 1 = 1): string {
  const most = digits ? 1000 : 100;
  let steps = Math.round(most * share);
  if (steps === most && share < 1) steps = most - 1;
  if (steps === 0 && share > 0) steps = 1;
  return String(steps / (most / 100));
}

/** A difference of shares in points with its sign, with one decimal unless it is whole. */
export function points(difference: number): string {
  const size = Math.abs(100 * difference);
  const text = trimmed(size.toFixed(1));
  return /[1-9]/.test(text) ? (difference > 0 ? "+" : MINUS) + text : "0";
}

/** An amount of money, in the currency that prices are given in. */
export function money(value: number | null | undefined, language: Language): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  const size = Math.abs(value);
  const digits = size >= 1 ? grouped(size.toFixed(2), false, language) : significant(size, language);
  return `${value < 0 ? MINUS : ""}$${digits}`;
}

const TIME_UNITS: Record<Language, readonly [string, string, string, string]> = {
  en: ["ms", "s", "min", "h"],
  zh: ["毫秒", "秒", "分", "小时"],
  ru: ["мс", "с", "мин", "ч"],
};

/** A duration: 340 ms, 5.2 s, 3 min 05 s, 2 h 10 min. */
export function duration(seconds: number | null | undefined, language: Language): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
  const [ms, s, min, h] = TIME_UNITS[language];
  const space = "\u00a0";
  if (seconds < 1) return `${significant(seconds * 1000, language)}${space}${ms}`;
  if (seconds < 60) return `${significant(seconds, language)}${space}${s}`;
  const whole = Math.round(seconds);
  if (whole < 3600) {
    const rest = String(whole % 60).padStart(2, "0");
    return `${Math.floor(whole / 60)}${space}${min} ${rest}${space}${s}`;
  }
  const rest = String(Math.floor((whole % 3600) / 60)).padStart(2, "0");
  return `${count(Math.floor(whole / 3600), language)}${space}${h} ${rest}${space}${min}`;
}

/** A moment in the reader's time zone: "16 Nov, 21:15"; with the year if it is another one. */
export function moment(text: string | null, language: Language): string {
  if (!text) return MISSING;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    ...(isThisYear ? {} : { year: "numeric" }),
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }).format(date);
}
