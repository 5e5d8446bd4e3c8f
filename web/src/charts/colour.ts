// Colours of charts. Those of variants can be told apart by colour-blind readers, and each variant
// also has its name beside it; meaning has colours of its own.

export interface Palette {
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly paper: string;
  readonly better: string;
  readonly worse: string;
  readonly neutral: string;
  readonly variants: readonly string[];
}

const LIGHT: Palette = {
  text: "#1d2129",
  faint: "#5b6472",
  line: "#dfe3e8",
  paper: "#ffffff",
  better: "#1a66b8",
  worse: "#b25300",
  neutral: "#6b7482",
  variants: ["#2f6fb5", "#c8741a", "#2e8b74", "#9c5bb0", "#8a6d2b", "#c2517b", "#4a8fc7", "#6f7f34", "#a04a3c", "#5d6b7e"],
};

const DARK: Palette = {
  text: "#e6e9ee",
  faint: "#a2abb8",
  line: "#333a45",
  paper: "#171b21",
  better: "#74b0f4",
  worse: "#f0a050",
  neutral: "#98a2b0",
  variants: ["#6aa9ea", "#eda24f", "#5cc0a4", "#c994dc", "#c9ab62", "#ee8bb0", "#8cc4f0", "#a9ba62", "#e08a78", "#9aa8bb"],
};

export function paletteOf(isDark: boolean): Palette {
  return isDark ? DARK : LIGHT;
}

/** The colour of a variant: the same in every chart of a run. */
export function variantColour(palette: Palette, variants: readonly string[], name: string): string {
  const at = Math.max(0, variants.indexOf(name));
  return palette.variants[at % palette.variants.length] as string;
}

type Stops = readonly (readonly [number, number, number])[];

/** From red over yellow to green, as heat maps are often drawn. */
const GREEN_RED: Stops = [
  [178, 38, 46],
  [227, 116, 71],
  [246, 200, 110],
  [186, 208, 110],
  [29, 145, 80],
];
/** From dark blue to yellow: its lightness alone carries the value. */
const SAFE: Stops = [
  [0, 32, 81],
  [60, 77, 110],
  [127, 124, 117],
  [187, 175, 113],
  [254, 232, 56],
];
/** From paper to one colour, for counts, where more is neither better nor worse. */
const COUNTS: Stops = [
  [240, 245, 250],
  [164, 197, 230],
  [92, 146, 203],
  [34, 98, 164],
  [14, 60, 110],
];

export type Heat = "green-red" | "safe" | "counts";
const SCALES: Record<Heat, Stops> = { "green-red": GREEN_RED, safe: SAFE, counts: COUNTS };

export function heatColours(heat: Heat): string[] {
  return SCALES[heat].map(([r, g, b]) => `rgb(${r}, ${g}, ${b})`);
}

/** The colour of a share from 0 to 1 on a scale, and the ink that can be read on it. */
export function heatColour(share: number, heat: Heat): { fill: string; ink: string } {
  const stops = SCALES[heat];
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const at = Math.min(stops.length - 2, Math.floor(place));
  const left = stops[at] as readonly number[];
  const right = stops[at + 1] as readonly number[];
  const [r, g, b] = left.map((from, n) => Math.round(from + ((right[n] as number) - from) * (place - at)));
  const fill = `rgb(${r}, ${g}, ${b})`;
  return { fill, ink: inkOn([r as number, g as number, b as number]) };
}

/** Black or white, whichever has more contrast (WCAG relative luminance). */
function inkOn(rgb: readonly [number, number, number]): string {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}
