// What a stage kept, written for people: JSON without its brackets.

import type { Language } from "../words";
import { MISSING } from "../look";
import { significant } from "./number";

const MOST = 6;

/** The facts of an object, with short numbers, and lists cut after some values; other texts as they are. */
export function factsOf(detail: string, language: Language): string {
  let data: unknown;
  try {
    data = JSON.parse(detail);
  } catch {
    return detail;
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) return detail;
  return Object.entries(data)
    .map(([name, value]) => `${name}: ${written(value, language)}`)
    .join(" · ");
}

function written(value: unknown, language: Language): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : significant(value, language);
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (!value.length) return MISSING;
  const shown = value.slice(0, MOST).map((each) => (typeof each === "string" ? `“${each}”` : written(each, language)));
  return shown.join(", ") + (value.length > MOST ? `, … (${value.length})` : "");
}
