// How far a run is, as a bar: what has an outcome, and how much of that failed.

import type { LiveRun } from "../api";
import { useSettings } from "../state/settings";
import { count, duration } from "../text/number";
import { t } from "../words";

export function LiveBar({ run, isSmall }: { run: LiveRun; isSmall?: boolean }) {
  const { language } = useSettings();
  const total = Math.max(run.total ?? 0, run.done, 1);
  const failed = Math.min(run.counts.failed, run.done);
  const said = t("{done} of {total}", { done: count(run.done, language), total: count(run.total, language) });
  return (
    <div
      class={`live-bar ${isSmall ? "small" : ""}`}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={run.done}
      aria-label={said}
    >
      <span class="good" style={{ width: `${(100 * (run.done - failed)) / total}%` }} />
      <span class="bad" style={{ width: `${(100 * failed) / total}%` }} />
    </div>
  );
}

/** "4.1 a second"; slow runs by the minute. */
export function useRate(): (rate: number | null) => string {
  return (rate) => {
    if (rate === null) return t("not known yet");
    const perMinute = rate < 1;
    const value = perMinute ? rate * 60 : rate;
    const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return perMinute ? t("{n} cases a minute", { n: value.toFixed(digits) }) : t("{n} cases a second", { n: value.toFixed(digits) });
  };
}

/** "about 2 min left". */
export function useLeft(): (run: LiveRun) => string {
  const { language } = useSettings();
  return (run) => {
    if (run.left === 0) return t("writing the results…");
    if (run.eta_s === null) return t("time left not known yet");
    return t("about {time} left", { time: duration(rounded(run.eta_s), language) });
  };
}

/** A time that does not flicker: whole seconds, later whole minutes. */
function rounded(seconds: number): number {
  if (seconds < 10) return Math.max(1, Math.round(seconds));
  if (seconds < 90) return Math.round(seconds / 5) * 5;
  return Math.round(seconds / 30) * 30;
}
