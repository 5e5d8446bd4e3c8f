// What one can do with a chart: choose what counts and the colours, download it.

import type { ChartView } from "../api";
import { PlainText } from "../parts/PlainText";
import { SelectField } from "../parts/SelectField";
import { PAGE } from "../look";
import { t } from "../words";
import { pngAddress, svgText } from "./Canvas";
import { csv } from "./csv";
import type { StretchData } from "./data";
import { blobOf, download, fileName } from "./download";
import type { ChartChoice, Drawing } from "./drawing";

interface DownloadProps {
  /** The parts of the name of the file. */
  readonly names: readonly string[];
  readonly drawing: Drawing;
  /** The drawing on white paper, for files. */
  readonly print: () => Drawing | null;
}

const FILE_WIDTH = 960;

export function Downloads({ names, drawing, print }: DownloadProps) {
  const name = (ending: string): string => `${fileName(...names.filter(Boolean))}.${ending}`;
  const save: Record<"png" | "svg" | "csv", () => void> = {
    png: () => download(name("png"), blobOf(pngAddress(print() ?? drawing, FILE_WIDTH, PAGE.light.paper))),
    svg: () => download(name("svg"), new Blob([svgText(print() ?? drawing, FILE_WIDTH)], { type: "image/svg+xml" })),
    csv: () => download(name("csv"), new Blob(["\ufeff", csv(drawing.columns, drawing.rows)], { type: "text/csv" })),
  };
  return (
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
  );
}

interface Props {
  readonly title: string;
  readonly chart: ChartView;
  readonly choice: ChartChoice;
  readonly onChange: (part: Partial<ChartChoice>) => void;
  /** The downloads of the only drawing. */
  readonly children: preact.ComponentChildren;
}

export function ChartBar({ title, chart, choice, onChange, children }: Props) {
  return (
    <figcaption class="chart-bar">
      <h2>
        <PlainText text={title} />
      </h2>
      {children}
      <Choices chart={chart} choice={choice} onChange={onChange} />
    </figcaption>
  );
}

function Choices({ chart, choice, onChange }: Pick<Props, "chart" | "choice" | "onChange">) {
  const isAccuracy = chart.kind === "stretches" && (chart.data as StretchData).mode === "accuracy";
  if (chart.kind !== "heatmap" && !isAccuracy) return null;
  return (
    <div class="filter-line">
      <SelectField
        label={t("Answers counted")}
        value={choice.isParsedOnly ? "parsed" : "all"}
        choices={[
          ["all", t("all, unparsed as 0")],
          ["parsed", t("parsed only")],
        ]}
        onChoose={(counted) => onChange({ isParsedOnly: counted === "parsed" })}
      />
      {chart.kind === "heatmap" && (
        <SelectField
          label={t("Means")}
          value={choice.isMeanOfQuestions ? "questions" : "cells"}
          choices={[
            ["cells", t("of cells")],
            ["questions", t("of questions")],
          ]}
          onChoose={(mean) => onChange({ isMeanOfQuestions: mean === "questions" })}
        />
      )}
      <SelectField
        label={t("Colours")}
        value={choice.isSafe ? "safe" : "green-red"}
        choices={[
          ["green-red", t("green to red")],
          ["safe", t("colour-blind safe")],
        ]}
        onChoose={(heat) => onChange({ isSafe: heat === "safe" })}
      />
    </div>
  );
}
