// The filters of the questions, in plain words.

import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JudgeView, RunView } from "../api";
import { useJudgeWords } from "../judge/words";
import { type Filter, formatFilter, NO_FILTER } from "../route";
import { useSettings } from "../state/settings";
import { visible } from "../text/visible";
import { fill, said } from "../words";
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

export function FilterBar({ run, filter, onChange, children }: Props) {
  const { words } = useSettings();
  const judge = useJudgeWords();
  const shows = [...SHOWS.filter((show) => run.variants.length > 1 || !COMPARED.includes(show)), ...(hasUnsure(run) || filter.show === "unsure" ? ["unsure"] : []), ...(run.card.counts.spared ? ["spared"] : []), ...judgedShows(run, filter)];
  const isFiltered = formatFilter(filter).length > 0;
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="shows">
        <legend class="unseen">{words.questions.show}</legend>
        {shows.map((show) => (
          <label key={show} class={filter.show === show ? "on" : ""}>
            <input
              type="radio"
              name="show"
              value={show}
              checked={filter.show === show}
              onChange={() => onChange({ show })}
            />
            {words.questions.shows[show] ?? judge.shows[show]}
          </label>
        ))}
      </fieldset>
      <div class="filter-line">
        <SearchField filter={filter} onChange={onChange} />
        <label class="check">
          <input type="checkbox" checked={filter.regex} onChange={(event) => onChange({ regex: event.currentTarget.checked })} />
          {words.questions.regex}
        </label>
        <span class="grow">{children}</span>
        <button type="button" class="quiet" disabled={!isFiltered} onClick={() => onChange(NO_FILTER)}>
          {words.questions.reset}
        </button>
      </div>
      <details class="more-filters" open={!matchMedia("(max-width: 640px)").matches}>
        <summary>{words.questions.filters}</summary>
        <div class="filter-line">
          <MoreFilters run={run} filter={filter} onChange={onChange} />
        </div>
      </details>
    </form>
  );
}

function SearchField({ filter, onChange }: Pick<Props, "filter" | "onChange">) {
  const { words } = useSettings();
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
      aria-label={words.questions.search}
      placeholder={words.questions.search}
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
  const { language, words } = useSettings();
  const judge = useJudgeWords();
  const names = run.variants.map(({ name }) => name);
  return (
    <>
      {names.length > 1 && (
        <Choice label={words.questions.variant} value={filter.variant} empty={words.questions.anyVariant} names={names} onChoose={(variant) => onChange({ variant })} />
      )}
      <SelectField
        label={words.questions.metric}
        value={filter.metric || run.primary}
        choices={run.metrics.map(({ name, title }) => [name, said(title, language)])}
        onChoose={(name) => onChange({ metric: name === run.primary ? "" : name })}
      />
      {run.judges.length > 1 && JUDGED.includes(filter.show) && (
        <Choice label={judge.filter} value={filter.judge} empty={judge.anyJudge} names={run.judges.map(({ name }) => name)} onChoose={(name) => onChange({ judge: name })} />
      )}
      <Range filter={filter} onChange={onChange} />
      {run.sources.length > 1 && (
        <Choice label={words.questions.source} value={filter.source} empty={words.questions.anySource} names={run.sources} onChoose={(source) => onChange({ source })} />
      )}
      {run.tags.length > 0 && (
        <Choice label={words.questions.tag} value={filter.tag} empty={words.questions.anyTag} names={run.tags.includes(filter.tag) || !filter.tag ? run.tags : [filter.tag, ...run.tags]} onChoose={(tag) => onChange({ tag })} />
      )}
      <SortField run={run} filter={filter} onChange={onChange} />
    </>
  );
}

function Range({ filter, onChange }: Pick<Props, "filter" | "onChange">) {
  const { words } = useSettings();
  return (
    <span class="field range">
      <label class="field">
        {words.questions.between}
        <NumberField value={filter.low} onChange={(low) => onChange({ low })} />
      </label>
      <label class="field">
        {words.questions.and}
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
  const { words } = useSettings();
  const fixed = (["file", "difference", "id"] as const).filter((name) => name !== "difference" || run.variants.length > 1);
  return (
    <span class="field">
      <SelectField
        label={words.questions.sort}
        value={filter.sort}
        choices={[
          ...fixed.map((name) => [name, words.questions.sorts[name]] as const),
          ...run.variants.map(({ name }) => [name, fill(words.questions.sortVariant, { variant: visible(name) })] as const),
        ]}
        onChoose={(sort) => onChange({ sort })}
      />
      <label class="check">
        <input type="checkbox" checked={filter.descending} onChange={(event) => onChange({ descending: event.currentTarget.checked })} />
        {words.questions.descending}
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
