// One chart: its drawings, their downloads, and the exact numbers behind them.

import { useMemo, useState } from "preact/hooks";
import type { ChartView } from "../api";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { MISSING } from "../look";
import { keep, kept, useMedia, useSettings } from "../state/settings";
import { significant } from "../text/number";
import { show, t } from "../words";
import { Canvas } from "./Canvas";
import { paletteOf } from "./colour";
import { ChartBar, Downloads } from "./ChartBar";
import type { HeatmapData } from "./data";
import { draw, panelsOf } from "./draw";
import type { ChartChoice, ChartOwner, Drawing, TableCell } from "./drawing";

interface Props {
  readonly chart: ChartView;
  readonly run: ChartOwner;
  /** What a map shows first. */
  readonly first?: Partial<ChartChoice>;
  readonly onList?: (listing: number, tile: string, isParsedOnly: boolean) => void;
}

export function ChartFigure({ chart, run, first, onList }: Props) {
  const { language, isDark } = useSettings();
  const isNarrow = useMedia("(max-width: 640px)");
  const isPrinted = useMedia("print");
  const [choice, setChoice] = useState<ChartChoice>({ isParsedOnly: false, isMeanOfQuestions: false, ...first, panel: 0, isSafe: first?.isSafe || kept("heat") === "safe" });
  const panels = useMemo(() => panelsOf(chart), [chart]);
  const isOne = panels.length === 1;
  const title = show(chart.title);
  const context = useMemo(() => ({ chart, run, language, isNarrow }), [chart, run, language, isNarrow]);
  const drawings = useMemo(() => {
    const drawn = (isOnDark: boolean, panel: number): Drawing | null => draw({ ...context, choice: { ...choice, panel }, palette: paletteOf(isOnDark) });
    return panels.map((_, panel) => ({ screen: drawn(isDark && !isPrinted, panel), paper: () => drawn(false, panel) }));
  }, [context, panels, choice, isDark, isPrinted]);
  const change = (part: Partial<ChartChoice>): void => {
    if (part.isSafe !== undefined) keep("heat", part.isSafe ? "safe" : "green-red");
    setChoice({ ...choice, ...part });
  };
  if (!drawings[0]?.screen) return null;
  const downloads = (panel: number) => {
    const drawing = drawings[panel];
    return drawing?.screen && <Downloads names={[run.card.name, chart.id, isOne ? "" : (panels[panel] as string)]} drawing={drawing.screen} print={drawing.paper} />;
  };
  return (
    <figure class="chart">
      <ChartBar title={title} chart={chart} choice={choice} onChange={change}>
        {isOne && downloads(0)}
      </ChartBar>
      <div class={isOne ? "" : "panels"}>
        {drawings.map(({ screen }, panel) => {
          const name = panels[panel] as string;
          const label = [title, name].filter(Boolean).join(": ");
          return (
            screen && (
              <section key={panel} class="panel">
                {!isOne && (
                  <div class="panel-head">
                    <h3>
                      <PlainText text={name} />
                    </h3>
                    {downloads(panel)}
                  </div>
                )}
                {screen.rows.length ? (
                  <Canvas
                    drawing={screen}
                    label={t("Chart: {title}", { title: label })}
                    run={screen.run || run.card.id}
                    {...(onList ? { onList: (listing: number, tile: string) => onList(listing, [name, tile].filter(Boolean).join(" · "), choice.isParsedOnly) } : {})}
                  />
                ) : (
                  <p class="empty">{t("There are no numbers for this chart.")}</p>
                )}
                <Numbers drawing={screen} label={`${t("Numbers of this chart")}: ${label}`} />
              </section>
            )
          );
        })}
      </div>
      <Notes chart={chart} hasKeys={Boolean(drawings[0].screen.places) && chart.kind !== "confusion"} />
    </figure>
  );
}

function Notes({ chart, hasKeys }: { chart: ChartView; hasKeys: boolean }) {
  const differences = chart.kind === "heatmap" ? (chart.data as HeatmapData).differences : [];
  const notes = [chart.note && show(chart.note), ...differences.slice(0, 1).flatMap(({ note }) => [t("A frame and an asterisk: significant after correction."), show(note)])];
  return (
    <>
      {notes.map(
        (note) =>
          note && (
            <p key={note} class="note">
              <PlainText text={note} />
            </p>
          ),
      )}
      {hasKeys && <p class="note on-screen">{t("Arrow keys move between cells, Enter opens a cell's questions.")}</p>}
    </>
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
  if (cell === null) return <>{MISSING}</>;
  return typeof cell === "number" ? <>{significant(cell, language)}</> : <PlainText text={cell} />;
}
