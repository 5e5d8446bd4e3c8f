// A table as CSV. A text that a spreadsheet would run as a formula gets an apostrophe.

import type { TableCell } from "./drawing";

export function csv(columns: readonly string[], rows: readonly (readonly TableCell[])[]): string {
  const lines = [columns, ...rows].map((row) => row.map(cell).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

function cell(value: TableCell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
