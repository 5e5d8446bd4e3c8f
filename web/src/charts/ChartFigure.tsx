// One chart: the drawing, its downloads, and the exact numbers behind it.

import { useMemo, useState } from "preact/hooks";
import type { ChartView, RunView } from "../api";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { formatRoute, NO_FILTER, runAddress } from "../route";
import { keep, kept, useMedia, useSettings } from "../state/settings";
import { significant } from "../text/number";
import { said, fill } from "../words";
import { Canvas } from "./Canvas";
import { paletteOf } from "./colour";
import { ChartBar } from "./ChartBar";
import { draw } from "./draw";
import type { ChartChoice, DrawContext, Drawing, TableCell } from "./drawing";

export function ChartFigure({ chart, run }: { chart: ChartView; run: RunView }) {
  const { language, words, isDark } = useSettings();
  const isNarrow = useMedia("(max-width: 640px)");
  const [choice, setChoice] = useState<ChartChoice>({ isSafe: kept("heat") === "safe", panel: 0, isParsedOnly: false, isMeanOfQuestions: false });
  const contextFor = (dark: boolean): DrawContext => ({
    chart,
    run,
    language,
    words,
    palette: paletteOf(dark),
    choice,
    isNarrow,
  });
  const drawing = useMemo(() => draw(contextFor(isDark)), [chart, run, language, isDark, choice, isNarrow]);
  const title = said(chart.title, language);
  const change = (part: Partial<ChartChoice>): void => {
    if (part.isSafe !== undefined) keep("heat", part.isSafe ? "safe" : "green-red");
    setChoice({ ...choice, ...part });
  };
  if (!drawing) return null;
  const label = fill(words.charts.drawing, { title });
  return (
    <figure class="chart">
      <ChartBar title={title} chart={chart} run={run} choice={choice} onChange={change} print={() => draw(contextFor(false))} drawing={drawing} />
      {drawing.rows.length ? (
        <Canvas drawing={drawing} label={label} onOpen={(item) => openItem(run.card.id, item)} onTags={(tags) => openTags(run.card.id, tags)} />
      ) : (
        <p class="empty">{words.charts.empty}</p>
      )}
      {chart.note && (
        <p class="note">
          <PlainText text={said(chart.note, language)} />
        </p>
      )}
      <Numbers drawing={drawing} label={`${words.charts.table}: ${title}`} />
    </figure>
  );
}

function openItem(run: string, item: string): void {
  location.hash = formatRoute({ screen: "question", run, item, at: null, chosen: "", filter: NO_FILTER });
}

function openTags(run: string, tags: readonly string[]): void {
  const tag = tags.join("\n");
  if (tag) location.hash = runAddress(run, "questions", { filter: { ...NO_FILTER, tag } });
}

function Numbers({ drawing, label }: { drawing: Drawing; label: string }) {
  const { words } = useSettings();
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.charts.table}</summary>
      {isOpen && (
        <TableFrame label={label}>
          <table class="report">
            <thead>
              <tr>
                {drawing.columns.map((column, index) => (
                  <th scope="col" class={index ? "right" : "sticky"}>
                    <PlainText text={column} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {drawing.rows.map((row) => (
                <tr>
                  {row.map((cell, index) =>
                    index === 0 ? (
                      <th scope="row" class="sticky">
                        <Shown cell={cell} />
                      </th>
                    ) : (
                      <td class="right number">
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
