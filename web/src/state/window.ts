// Which rows of a long list are in view. Only these are elements of the page.

export interface RowWindow {
  readonly first: number;
  readonly last: number;
}

/** A browser cannot make an element taller than this; longer lists are scrolled in proportion. */
export const MOST_PIXELS = 8_000_000;
const AROUND = 5;

/** The height of the whole list. */
export function listHeight(rows: number, rowHeight: number): number {
  return Math.min(rows * rowHeight, MOST_PIXELS);
}

/** The rows in view, and some around them so that a quick scroll shows no gap. */
export function rowsInView(top: number, height: number, rows: number, rowHeight: number): RowWindow {
  const first = Math.floor(firstRow(top, height, rows, rowHeight));
  const visible = Math.ceil(height / rowHeight) + 1;
  return { first: Math.max(0, first - AROUND), last: Math.min(rows - 1, first + visible + AROUND) };
}

/** How many rows are drawn at most; row `index` is drawn by the element `index % slots`. */
export function slots(height: number, rowHeight: number): number {
  return Math.ceil(height / rowHeight) + 2 + 2 * AROUND;
}

/** The row at the upper edge, with its part that is above it as a fraction. */
function firstRow(top: number, height: number, rows: number, rowHeight: number): number {
  const whole = rows * rowHeight;
  if (whole <= MOST_PIXELS) return top / rowHeight;
  const share = top / Math.max(1, MOST_PIXELS - height);
  return (share * (whole - height)) / rowHeight;
}

/** Where row `index` is drawn while the list is scrolled to `top`. */
export function rowTop(index: number, top: number, height: number, rows: number, rowHeight: number): number {
  if (rows * rowHeight <= MOST_PIXELS) return index * rowHeight;
  return top + (index - firstRow(top, height, rows, rowHeight)) * rowHeight;
}

/** How far to scroll so that row `index` is in view; `null` if it is. */
export function scrollFor(index: number, top: number, height: number, rows: number, rowHeight: number): number | null {
  const first = firstRow(top, height, rows, rowHeight);
  const fits = height / rowHeight;
  if (index >= first && index + 1 <= first + fits) return null;
  const wanted = index < first ? index : index + 1 - fits;
  const whole = rows * rowHeight;
  if (whole <= MOST_PIXELS) return wanted * rowHeight;
  return ((wanted * rowHeight) / (whole - height)) * (MOST_PIXELS - height);
}
