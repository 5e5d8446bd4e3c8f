// The drawing of a chart by its kind.

import type { DrawContext, Drawing } from "./drawing";
import { bars } from "./kinds/bars";
import { confusion } from "./kinds/confusion";
import { cost } from "./kinds/cost";
import { differences } from "./kinds/differences";
import { groups, reasons } from "./kinds/groups";
import { heatmap } from "./kinds/heatmap";
import { line } from "./kinds/line";
import { sequence } from "./kinds/sequence";
import { tradeoff } from "./kinds/tradeoff";

const KINDS: Readonly<Record<string, (context: DrawContext) => Drawing>> = {
  bars,
  confusion,
  cost,
  differences,
  groups,
  heatmap,
  line,
  reasons,
  sequence,
  tradeoff,
};

/** `null` if the page does not know the kind. */
export function draw(context: DrawContext): Drawing | null {
  return KINDS[context.chart.kind]?.(context) ?? null;
}
