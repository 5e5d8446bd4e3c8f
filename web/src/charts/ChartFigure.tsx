// One chart: the drawing, its downloads, and the exact numbers behind it.

import { useMemo, useState } from "preact/hooks";
import type { ChartView, RunView } from "../api";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { keep, kept, useMedia, useSettings } from "../state/settings";
import { significant } from "../text/number";
import { show, t } from "../words";
import { Canvas } from "./Canvas";
import { paletteOf } from "./colour";
import { ChartBar } from "./ChartBar";
import { draw } from "./draw";
import type { ChartChoice, Drawing, TableCell } from "./drawing";

export function ChartFigure({ chart, run }: { chart: ChartView; run: RunView }) {
  const { language, isDark } = useSettings();
  const isNarrow = useMedia("(max-width: 640px)");
  const [choice, setChoice] = useState<ChartChoice>({ isSafe: kept("heat") === "safe", panel: 0, isParsedOnly: false, isMeanOfQuestions: false });
  const context = useMemo(() => ({ chart, run, language, choice, isNarrow }), [chart, run, language, choice, isNarrow]);
  const drawing = useMemo(() => draw({ ...context, palette: paletteOf(isDark) }), [context, isDark]);
  const title = show(chart.title);
  const change = (part: Partial<ChartChoice>): void => {
    if (part.isSafe !== undefined) keep("heat", part.isSafe ? "safe" : "green-red");
    setChoice({ ...choice, ...part });
  };
  if (!drawing) return null;
  const label = t("Chart: {title}", { title });
  return (
    <figure class="chart">
      <ChartBar title={title} chart={chart} run={run} choice={choice} onChange={change} print={() => draw({ ...context, palette: paletteOf(false) })} drawing={drawing} />
      {drawing.rows.length ? (
        <Canvas drawing={drawing} label={label} run={run.card.id} />
      ) : (
        <p class="empty">{t("There are no numbers for this chart.")}</p>
      )}
      {chart.note && (
        <p class="note">
          <PlainText text={show(chart.note)} />
        </p>
      )}
      <Numbers drawing={drawing} label={`${t("Numbers of this chart")}: ${title}`} />
    </figure>
  );
}

function Numbers({ drawing, label }: { drawing: Drawing; label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("Numbers of this chart")}</summary>
      {isOpen && (
        <TableFrame label={label}>
          <table class="report">
            <thead>
              <tr>
                {drawing.columns.map((column, index) => (
                  <th key={index} scope="col" class={index ? "right" : "sticky"}>
                    <PlainText text={column} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {drawing.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, index) =>
                    index === 0 ? (
                      <th key={index} scope="row" class="sticky">
                        <Shown cell={cell} />
                      </th>
                    ) : (
                      <td key={index} class="right number">
                        <Shown cell={cell} />
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </details>
  );
}

function Shown({ cell }: { cell: TableCell }) {
  const { language } = useSettings();
  if (cell === null) return <>–</>;
  return typeof cell === "number" ? <>{significant(cell, language)}</> : <PlainText text={cell} />;
}
