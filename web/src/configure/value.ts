// Values of settings as a person writes them: 128, 0.5, true, text; several with commas.

/** The values of a text; what reads as a number or as true, false, null is one. */
export function parseValues(text: string): unknown[] {
  return text
    .split(/[,，;]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(parseValue);
}

function parseValue(text: string): unknown {
  if (/^(true|on|yes)$/i.test(text)) return true;
  if (/^(false|off|no)$/i.test(text)) return false;
  if (/^null$/i.test(text)) return null;
  if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return Number(text);
  return text;
}

export function showValues(values: readonly unknown[]): string {
  return values.map((value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : String(value))).join(", ");
}
