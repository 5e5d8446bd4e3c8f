// Rates and coefficients of judges as text.

import type { Interval } from "../api";
import { MISSING } from "../look";
import { differenceInterval, differenceNumber, metricInterval, metricValue } from "../text/number";
import type { Language } from "../words";

const SHARE = { kind: "share", unit: "" };

/** A rate or a coefficient with its interval: 0.81 [0.67, 0.90]. */
export function withInterval(value: number | null, interval: Interval | null, language: Language): string {
  if (value === null) return MISSING;
  return `${metricValue(value, SHARE, language)} ${metricInterval(interval, SHARE, language)}`.trim();
}

/** A difference in points with its interval. */
export function pointsWithInterval(value: number | null, interval: Interval | null, language: Language): string {
  if (value === null) return MISSING;
  return `${differenceNumber(value, SHARE, language)} ${differenceInterval(interval, SHARE, language)}`.trim();
}
