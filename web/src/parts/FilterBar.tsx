// The filters of the questions, in plain words.

import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JudgeView, RunView } from "../api";
import { type Filter, formatFilter, NO_FILTER } from "../route";
import { visible } from "../text/visible";
import { show, t, tx } from "../words";
import { SelectField } from "./SelectField";

interface Props {
  readonly run: RunView;
  readonly filter: Filter;
  readonly onChange: (part: Partial<Filter>) => void;
  readonly children: ComponentChildren;
}

const SHOWS = ["all", "different", "worse", "better", "failed", "skipped", "unparsed", "abstained", "without_gold", "answered"];
const JUDGED = ["against_people", "against_judges", "judge_unparsed"];
const COMPARED = ["different", "worse", "better"];
const WAIT_MS = 200;

function showWords(): Readonly<Record<string, string>> {
  return {
    spared: t("spared"),
    all: t("all"),
    different: t("different"),
    worse: t("worse"),
    better: t("better"),
    failed: tx("state", "failed"),
    skipped: t("skipped"),
    unparsed: t("unparsed"),
    abstained: t("abstained"),
    unsure: t("unsure"),
    without_gold: t("without gold"),
    answered: t("not judged"),
    against_people: t("judge against people"),
    against_judges: t("judges disagree"),
    judge_unparsed: t("judge unreadable"),
  };
}

export function FilterBar({ run, filter, onChange, children }: Props) {
  const shows = [...SHOWS.filter((show) => run.variants.length > 1 || !COMPARED.includes(show)), ...(hasUnsure(run) || filter.show === "unsure" ? ["unsure"] : []), ...(run.card.counts.spared ? ["spared"] : []), ...judgedShows(run, filter)];
  const isFiltered = formatFilter(filter).length > 0;
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="shows">
        <legend class="unseen">{t("Show")}</legend>
        {shows.map((show) => (
          <label key={show} class={filter.show === show ? "on" : ""}>
            <input
              type="radio"
              name="show"
              value={show}
              checked={filter.show === show}
              onChange={() => onChange({ show })}
            />
            {showWords()[show]}
          </label>
        ))}
      </fieldset>
      <div class="filter-line">
        <SearchField filter={filter} onChange={onChange} />
        <label class="check">
          <input type="checkbox" checked={filter.regex} onChange={(event) => onChange({ regex: event.currentTarget.checked })} />
          {t("regular expression")}
        </label>
        <span class="grow">{children}</span>
        <button type="button" class="quiet" disabled={!isFiltered} onClick={() => onChange(NO_FILTER)}>
          {t("Clear filters")}
        </button>
      </div>
      <details class="more-filters" open={!matchMedia("(max-width: 640px)").matches}>
        <summary>{t("Filters")}</summary>
        <div class="filter-line">
          <MoreFilters run={run} filter={filter} onChange={onChange} />
        </div>
      </details>
    </form>
  );
}

function SearchField({ filter, onChange }: Pick<Props, "filter" | "onChange">) {
  const [text, setText] = useState(filter.text);
  const timer = useRef(0);
  useEffect(() => setText(filter.text), [filter.text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed: string): void => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onChange({ text: typed }), WAIT_MS);
  };
  // Enter and Escape leave the field, so that the keys of the list work again.
  const leave = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.currentTarget.blur();
    clearTimeout(timer.current);
    const typed = event.key === "Enter" ? text : "";
    setText(typed);
    if (typed !== filter.text) onChange({ text: typed });
  };
  return (
    <input
      type="search"
      class="search"
      aria-label={t("Search questions and answers")}
      placeholder={t("Search questions and answers")}
      value={text}
      maxLength={1000}
      onInput={(event) => type(event.currentTarget.value)}
      onKeyDown={leave}
    />
  );
}

/** The filters about judges that can find something here. */
function judgedShows(run: RunView, filter: Filter): string[] {
  const counts: Record<string, (judge: JudgeView) => number> = {
    against_people: ({ against_people }) => against_people,
    against_judges: ({ against_judges }) => against_judges,
    judge_unparsed: ({ unparsed }) => unparsed,
  };
  return JUDGED.filter((show) => filter.show === show || run.judges.some((judge) => counts[show]?.(judge)));
}

function hasUnsure(run: RunView): boolean {
  return run.variants.some(({ cells }) => Object.values(cells).some(({ unsure }) => unsure > 0));
}

type PartProps = Pick<Props, "run" | "filter" | "onChange">;

function MoreFilters({ run, filter, onChange }: PartProps) {
  const names = run.variants.map(({ name }) => name);
  return (
    <>
      {names.length > 1 && (
        <Choice label={t("in variant")} value={filter.variant} empty={t("any variant")} names={names} onChoose={(variant) => onChange({ variant })} />
      )}
      <SelectField
        label={t("Metric")}
        value={filter.metric || run.primary}
        choices={run.metrics.map(({ name, title }) => [name, show(title)])}
        onChoose={(name) => onChange({ metric: name === run.primary ? "" : name })}
      />
      {run.judges.length > 1 && JUDGED.includes(filter.show) && (
        <Choice label={t("Judge")} value={filter.judge} empty={t("any judge")} names={run.judges.map(({ name }) => name)} onChoose={(name) => onChange({ judge: name })} />
      )}
      <Range filter={filter} onChange={onChange} />
      {run.sources.length > 1 && (
        <Choice label={t("Source")} value={filter.source} empty={t("any source")} names={run.sources} onChoose={(source) => onChange({ source })} />
      )}
      {run.tags.length > 0 && (
        <Choice label={t("Tag")} value={filter.tag} empty={t("any tag")} names={run.tags.includes(filter.tag) || !filter.tag ? run.tags : [filter.tag, ...run.tags]} onChoose={(tag) => onChange({ tag })} />
      )}
      <SortField run={run} filter={filter} onChange={onChange} />
    </>
  );
}

function Range({ filter, onChange }: Pick<Props, "filter" | "onChange">) {
  return (
    <span class="field range">
      <label class="field">
        {t("Value from")}
        <NumberField value={filter.low} onChange={(low) => onChange({ low })} />
      </label>
      <label class="field">
        {t("to")}
        <NumberField value={filter.high} onChange={(high) => onChange({ high })} />
      </label>
    </span>
  );
}

function typedNumber(text: string): number | null {
  return text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}

/** A number that takes effect while it is typed. */
function NumberField({ value, onChange }: { value: number | null; onChange: (value: number | null) => void }) {
  const written = value === null ? "" : String(value);
  const [text, setText] = useState(written);
  const timer = useRef(0);
  useEffect(() => setText((shown) => (typedNumber(shown) === value ? shown : written)), [value, written]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (given: string): void => {
    setText(given);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onChange(typedNumber(given)), WAIT_MS);
  };
  return <input type="number" step="any" value={text} onInput={(event) => type(event.currentTarget.value)} />;
}

function SortField({ run, filter, onChange }: PartProps) {
  const sorts = { file: t("order of the questions"), difference: t("difference, worst first"), id: t("id") };
  const fixed = (["file", "difference", "id"] as const).filter((name) => name !== "difference" || run.variants.length > 1);
  return (
    <span class="field">
      <SelectField
        label={t("Sort by")}
        value={filter.sort}
        choices={[
          ...fixed.map((name) => [name, sorts[name]] as const),
          ...run.variants.map(({ name }) => [name, t("value of {variant}", { variant: visible(name) })] as const),
        ]}
        onChoose={(sort) => onChange({ sort })}
      />
      <label class="check">
        <input type="checkbox" checked={filter.descending} onChange={(event) => onChange({ descending: event.currentTarget.checked })} />
        {t("descending")}
      </label>
    </span>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly empty: string;
  readonly names: readonly string[];
  readonly onChoose: (name: string) => void;
}

function Choice({ label, value, empty, names, onChoose }: ChoiceProps) {
  const choices = names.map((name) => [name, visible(name.replaceAll("\n", " + "))] as const);
  return <SelectField label={label} value={value} choices={[["", empty], ...choices]} onChoose={onChoose} />;
}
