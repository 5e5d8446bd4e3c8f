// Differences as points with intervals on one axis with zero marked; each row also says it in
// numbers, so the drawing adds nothing that a screen reader would miss.

import type { Difference, MetricInfo } from "../api";
import { useSettings } from "../state/settings";
import { differenceInterval, differenceNumber, inPoints, probability } from "../text/number";
import { show, t } from "../words";
import { niceTicks } from "../charts/ticks";
import { PlainText } from "./PlainText";
import { TableFrame } from "./TableFrame";
import { Verdict } from "./Verdict";

interface Props {
  readonly differences: readonly Difference[];
  readonly metric: MetricInfo;
  readonly label: string;
  /** The title of the first column, if it is not the variants. */
  readonly head?: string;
}

export function DifferencePlot({ differences, metric, label, head }: Props) {
  const { language } = useSettings();
  const scale = scaleOf(differences);
  const decidedAfter = ({ decided_after, verdict }: Difference): string =>
    decided_after === null || verdict === "undecided" ? "" : t("decided after {n}", { n: decided_after });
  const numbers = (value: number): string => differenceNumber(value, metric, language);
  return (
    <TableFrame label={label}>
      <table class="differences">
        <thead>
          <tr>
            <th scope="col">{head ?? t("Variant")}</th>
            <th scope="col" class="drawing">
              <Axis scale={scale} format={numbers} />
              <span class="unseen">{show(metric.title)}</span>
            </th>
            <th scope="col" class="right">
              {t("difference")}
              {inPoints(metric) && <small>{t("in points of 100")}</small>}
            </th>
            <th scope="col">{t("verdict")}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference, at) => (
            <tr key={at}>
              <th scope="row">
                <PlainText text={difference.variant} />
              </th>
              <td class="drawing">
                <Interval difference={difference} scale={scale} />
              </td>
              <td class="right number">
                <strong>{differenceNumber(difference.difference, metric, language)}</strong>
                <small>{difference.verdict.startsWith("same") && difference.at_most !== null ? atMost(difference) : differenceInterval(difference.interval, metric, language)}</small>
              </td>
              <td>
                <Verdict verdict={difference.verdict} />
                <small>{[probability(difference.p), decidedAfter(difference), `n = ${difference.n}`].filter(Boolean).join(" · ")}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** Where nothing changed: the largest share of such questions that would. */
function atMost({ at_most, unit }: Difference): string {
  const share = Math.ceil(100 * (at_most ?? 1));
  return unit === "document" ? t("at most {share} % of such documents would differ", { share }) : t("at most {share} % of such questions would differ", { share });
}

/** What the intervals say. */
export function DifferenceNote({ differences }: { differences: readonly Difference[] }) {
  if (differences.some((each) => each.decided_after !== null)) return <p class="note">{t("The interval holds at every moment, so one may look at any time; decisions are wrong in at most the level of the run. There are no p-values, and estimates at the moment of a decision lean outwards.")}</p>;
  return <p class="note">{t("Points with the intervals of the test, which hold for all comparisons at once; an interval that leaves out 0 has p < 0.05.")}</p>;
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

const WIDTH = 1000;

/** The interval that is drawn: none where nothing changed, because that has a limit in words. */
function drawn({ interval, at_most }: Difference): Difference["interval"] {
  return at_most === null ? interval : null;
}

function scaleOf(differences: readonly Difference[]): Scale {
  const ends = differences.flatMap((each) => {
    const interval = drawn(each);
    return [each.difference ?? 0, ...(interval ? [interval.low, interval.high] : [])];
  });
  const all = ends.some((end) => end !== 0) ? ends : [-0.1, 0.1];
  const ticks = niceTicks(Math.min(0, ...all), Math.max(0, ...all), 5);
  const first = ticks[0] ?? -1;
  const last = ticks[ticks.length - 1] ?? 1;
  return { low: first, high: last, ticks };
}

function place(value: number, { low, high }: Scale): number {
  const share = high > low ? (value - low) / (high - low) : 0.5;
  return 24 + share * (WIDTH - 48);
}

function Axis({ scale, format }: { scale: Scale; format: (value: number) => string }) {
  return (
    <div class="axis" aria-hidden="true">
      {scale.ticks.map((tick) => (
        <span key={tick} class={tick === 0 ? "zero" : ""} style={{ left: `${place(tick, scale) / (WIDTH / 100)}%` }}>
          {format(tick)}
        </span>
      ))}
    </div>
  );
}

function Interval({ difference, scale }: { difference: Difference; scale: Scale }) {
  const interval = drawn(difference);
  const x = (value: number): number => place(value, scale);
  return (
    <svg
      class={`interval ${difference.verdict.replace(/\W+/g, "-")}`}
      viewBox={`0 0 ${WIDTH} 28`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {scale.ticks.map((tick) => (
        <line key={tick} class={tick === 0 ? "zero" : "grid"} x1={x(tick)} x2={x(tick)} y1="0" y2="28" />
      ))}
      {interval && <line class="corrected" x1={x(interval.low)} x2={x(interval.high)} y1="14" y2="14" />}
      {interval &&
        [interval.low, interval.high].map((end, at) => (
          <line key={at} class="corrected" x1={x(end)} x2={x(end)} y1="9" y2="19" />
        ))}
      {difference.difference !== null && (
        <line class="point" x1={x(difference.difference)} x2={x(difference.difference)} y1="14" y2="14" />
      )}
    </svg>
  );
}
