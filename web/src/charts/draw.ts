// The drawing of a chart by its kind.

import type { DrawContext, Drawing } from "./drawing";
import { bars } from "./kinds/bars";
import { confusion } from "./kinds/confusion";
import { cost } from "./kinds/cost";
import { differences } from "./kinds/differences";
import { groups, reasons } from "./kinds/groups";
import type { ChartView } from "../api";
import type { ConfusionData, HeatmapData } from "./data";
import { heatmap, heatmapPanels } from "./kinds/heatmap";
import { line } from "./kinds/line";
import { sequence } from "./kinds/sequence";
import { stretchMap } from "./kinds/stretches";
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
  stretches: stretchMap,
  tradeoff,
};

/** The names of the drawings of a chart; most charts have one, without a name. */
export function panelsOf({ kind, data }: ChartView): string[] {
  if (kind === "heatmap") return heatmapPanels(data as HeatmapData);
  if (kind === "confusion") return (data as ConfusionData).matrices.map(({ variant }) => variant);
  return [""];
}

/** `null` if the page does not know the kind. */
export function draw(context: DrawContext): Drawing | null {
  return KINDS[context.chart.kind]?.(context) ?? null;
}
