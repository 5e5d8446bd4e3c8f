// What one can do with a chart: choose a panel or colours, download it.

import type { ChartView, RunView } from "../api";
import { PlainText } from "../parts/PlainText";
import { SelectField } from "../parts/SelectField";
import { visible } from "../text/visible";
import { t } from "../words";
import { pngAddress, svgText } from "./Canvas";
import { csv } from "./csv";
import type { ConfusionData, HeatmapData } from "./data";
import { blobOf, download, fileName } from "./download";
import type { ChartChoice, Drawing } from "./drawing";

interface Props {
  readonly title: string;
  readonly chart: ChartView;
  readonly run: RunView;
  readonly choice: ChartChoice;
  readonly drawing: Drawing;
  /** The drawing on white paper, for files. */
  readonly print: () => Drawing | null;
  readonly onChange: (part: Partial<ChartChoice>) => void;
}

const FILE_WIDTH = 960;

export function ChartBar(props: Props) {
  const { chart, run, drawing } = props;
  const name = (ending: string): string => `${fileName(run.card.name, chart.id)}.${ending}`;
  const save: Record<"png" | "svg" | "csv", () => void> = {
    png: () => download(name("png"), blobOf(pngAddress(props.print() ?? drawing, FILE_WIDTH, "#ffffff"))),
    svg: () => download(name("svg"), new Blob([svgText(props.print() ?? drawing, FILE_WIDTH)], { type: "image/svg+xml" })),
    csv: () => download(name("csv"), new Blob(["\ufeff", csv(drawing.columns, drawing.rows)], { type: "text/csv" })),
  };
  return (
    <figcaption class="chart-bar">
      <h2>
        <PlainText text={props.title} />
      </h2>
      <div class="downloads">
        {(["png", "svg", "csv"] as const).map((format) => (
          <button
            key={format}
            type="button"
            class="quiet"
            onClick={save[format]}
            title={t("Download as {format}", { format: format.toUpperCase() })}
            aria-label={t("Download as {format}", { format: format.toUpperCase() })}
          >
            ↓ {format.toUpperCase()}
          </button>
        ))}
      </div>
      <Choices {...props} />
    </figcaption>
  );
}

function Choices({ chart, choice, onChange }: Props) {
  if (chart.kind !== "heatmap" && chart.kind !== "confusion") return null;
  const panels =
    chart.kind === "heatmap"
      ? (chart.data as HeatmapData).models.map(({ model }) => model)
      : (chart.data as ConfusionData).matrices.map(({ variant }) => variant);
  return (
    <div class="filter-line">
      {panels.length > 1 && (
        <SelectField
          label={t("Variant")}
          value={String(choice.panel)}
          choices={panels.map((panel, index) => [String(index), visible(panel)])}
          onChoose={(panel) => onChange({ panel: Number(panel) })}
        />
      )}
      {chart.kind === "heatmap" && (
        <>
          <SelectField
            label={t("Answers counted")}
            value={choice.isParsedOnly ? "parsed" : "all"}
            choices={[
              ["all", t("all, unparsed as 0")],
              ["parsed", t("parsed only")],
            ]}
            onChoose={(counted) => onChange({ isParsedOnly: counted === "parsed" })}
          />
          <SelectField
            label={t("Means")}
            value={choice.isMeanOfQuestions ? "questions" : "cells"}
            choices={[
              ["cells", t("of cells")],
              ["questions", t("of questions")],
            ]}
            onChoose={(mean) => onChange({ isMeanOfQuestions: mean === "questions" })}
          />
          <SelectField
            label={t("Colours")}
            value={choice.isSafe ? "safe" : "green-red"}
            choices={[
              ["green-red", t("green to red")],
              ["safe", t("colour-blind safe")],
            ]}
            onChoose={(heat) => onChange({ isSafe: heat === "safe" })}
          />
        </>
      )}
    </div>
  );
}
