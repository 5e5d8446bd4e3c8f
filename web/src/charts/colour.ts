// Colours of charts, from the table that charts in files use too. Those of variants can be told apart
// by colour-blind readers, and each variant also has its name beside it; meaning has colours of its own.

import { HEAT, PAGE, VARIANTS } from "../look";

export interface Palette {
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly paper: string;
  readonly ground: string;
  readonly better: string;
  readonly worse: string;
  readonly neutral: string;
  readonly variants: readonly string[];
}

export function paletteOf(isDark: boolean): Palette {
  const { ink, faint, line, paper, sunken, better, worse, neutral } = PAGE[isDark ? "dark" : "light"];
  return { text: ink, faint, line, paper, ground: sunken, better, worse, neutral, variants: VARIANTS[isDark ? "dark" : "light"] };
}

/** The colour of a variant: the same in every chart of a run. */
export function variantColour(palette: Palette, variants: readonly string[], name: string): string {
  const at = Math.max(0, variants.indexOf(name));
  return palette.variants[at % palette.variants.length] as string;
}

export type Heat = keyof typeof HEAT;

export function heatColours(heat: Heat): string[] {
  return [...HEAT[heat]];
}

/** The colour of a share from 0 to 1 on a scale, and the ink that can be read on it. */
export function heatColour(share: number, heat: Heat): { fill: string; ink: string } {
  const stops = HEAT[heat].map(channels);
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const at = Math.min(stops.length - 2, Math.floor(place));
  const left = stops[at] as number[];
  const right = stops[at + 1] as number[];
  const rgb = left.map((from, n) => Math.round(from + ((right[n] as number) - from) * (place - at)));
  return { fill: `rgb(${rgb.join(", ")})`, ink: inkOn(rgb) };
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
}

/** Black or white, whichever has more contrast (WCAG relative luminance). */
function inkOn(rgb: readonly number[]): string {
  const [r = 0, g = 0, b = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}
