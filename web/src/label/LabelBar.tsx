// The line above a task: progress, who labels, blind or not, judging or choosing.

import type { LabelPlace, RunView } from "../api";
import { PlainText } from "../parts/PlainText";
import { SelectField } from "../parts/SelectField";
import type { LabelRoute } from "../route";
import { replace } from "../state/location";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { type Language, t } from "../words";

interface Props {
  readonly route: LabelRoute;
  readonly run: RunView;
  readonly labeller: string;
  readonly place: LabelPlace | null;
  readonly isSaving: boolean;
  readonly onNext: () => void;
  readonly onLeave: () => void;
}

/** How much of the task is done. */
export function progressOf(route: LabelRoute, place: LabelPlace, language: Language): string {
  const fields = { done: count(place.done, language), total: count(place.total, language) };
  return route.pair.length ? t("{done} of {total} pairs decided", fields) : t("{done} of {total} answers labelled", fields);
}

export function LabelBar({ route, run, labeller, place, isSaving, onNext, onLeave }: Props) {
  const { language } = useSettings();
  const names = run.variants.map(({ name }) => name);
  const done = place ? progressOf(route, place, language) : "…";
  return (
    <header class="label-bar">
      <h1>{t("Label answers")}</h1>
      <div class="label-progress" role="status">
        <progress max={place?.total || 1} value={place?.done ?? 0} aria-label={done} />
        <span class="number">{done}</span>
        <span class="faint saving">{isSaving ? t("saving…") : ""}</span>
      </div>
      <button type="button" class="main" onClick={onNext}>
        {t("Next unlabelled")} <kbd aria-hidden="true">n</kbd>
      </button>
      <div class="label-settings">
        <button type="button" class="quiet person" onClick={onLeave} title={t("Change the name")}>
          <PlainText text={labeller} />
        </button>
        <label class="check" title={t("Variants are hidden and answers are shuffled.")}>
          <input type="checkbox" checked={route.isBlind} onChange={(event) => replace({ ...route, isBlind: event.currentTarget.checked })} />
          {t("blind")}
        </label>
        {names.length > 1 && (
          <SelectField
            label={<span class="unseen">{t("What to do")}</span>}
            value={route.pair.length ? "prefer" : "judge"}
            choices={[
              ["judge", t("judge each answer")],
              ["prefer", t("choose the better of two")],
            ]}
            onChoose={(mode) => replace({ ...route, item: null, pair: mode === "prefer" ? names.slice(0, 2) : [] })}
          />
        )}
        {route.pair.length === 2 && names.length > 2 && <PairChoice route={route} names={names} />}
      </div>
    </header>
  );
}

function PairChoice({ route, names }: { route: LabelRoute; names: readonly string[] }) {
  const choose = (at: number, name: string): void => {
    const other = route.pair[1 - at] === name ? (route.pair[at] ?? "") : (route.pair[1 - at] ?? "");
    replace({ ...route, item: null, pair: at === 0 ? [name, other] : [other, name] });
  };
  return (
    <>
      {[t("First variant"), t("Second variant")].map((title, at) => (
        <SelectField
          key={at}
          label={<span class="unseen">{title}</span>}
          value={route.pair[at]}
          choices={names.map((name) => [name, name])}
          onChoose={(name) => choose(at, name)}
        />
      ))}
    </>
  );
}
