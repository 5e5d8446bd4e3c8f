// Round numbers for an axis.

/** About `wanted` round numbers from at most `low` to at least `high`. */
export function niceTicks(low: number, high: number, wanted: number): number[] {
  if (!(high > low)) return low === 0 ? [-1, 0, 1] : [low - Math.abs(low), low, low + Math.abs(low)];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((size) => size * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
