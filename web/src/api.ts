// Made by tools/generate_types.py from the structs of src/assay; do not edit.

export type Lang = "en" | "zh" | "ru";

export type Said = string | Message | Title;

export type JudgeGroupKind = "all" | "variant" | "language";

export type Mark = "better" | "worse" | "same" | "";

export type CellStatus = "scored" | "answered" | "failed" | "skipped" | "spared" | "unparsed" | "absent";

export type FieldKind = "choice" | "file" | "count" | "number" | "switch" | "text" | "settings" | "place" | "folder";

export type LabelVerdict = "right" | "wrong" | "partly" | "unclear";

export type Design = "single" | "leave_one_out" | "add_one" | "factorial";

export type DraftState = "accepted" | "rejected" | "open";

export type Mode = "depth" | "coverage" | "accuracy" | "combined" | "combined_depth";

export type View = "all" | "parsed";

export type Mean = "cells" | "questions";

export type PaletteName = "green-red" | "safe";

/**
 * An English text with named fields, to be shown in the language of the reader.
 *
 * ``plural`` and ``n`` are there if the form of the text depends on a number; ``context`` tells
 * translations of the same English text apart. Fields may be messages too. As JSON it is what it is
 * made of, without the parts that are absent, and the page translates it.
 *
 * >>> str(message("{file}: not found", file="a.md"))
 * 'a.md: not found'
 */
export interface Message {
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly plural?: string;
  readonly n?: number;
  readonly context?: string;
}

/**
 * A name that whoever declares it gives in all languages, such as the title of a metric.
 */
export interface Title {
  readonly en: string;
  readonly zh: string;
  readonly ru: string;
}

/**
 * From ``low`` to ``high``.
 */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * A claim of an answer: ``supported``, ``contradicted`` or ``absent``, and by which passage.
 */
export interface VerdictClaim {
  readonly claim: string;
  readonly status: string;
  readonly passage: number | null;
}

/**
 * What a judge said about an answer.
 *
 * ``label`` is a word of the rubric's scale, ``score`` what it is worth; ``unparsed`` says why a
 * reply could not be read, and ``reply`` is that reply. ``people`` is the mean label of people, for
 * a judge of correctness. ``against_people`` and ``against_judges`` say whether people, or other
 * judges with the same rubric, say the opposite.
 */
export interface VerdictView {
  readonly judge: string;
  readonly rubric: string;
  readonly identity: string;
  readonly label: string;
  readonly score: number | null;
  readonly reason: string;
  readonly claims: readonly VerdictClaim[];
  readonly unparsed: string;
  readonly reply: string;
  readonly is_repaired: boolean;
  readonly people: number | null;
  readonly against_people: boolean;
  readonly against_judges: readonly string[];
}

/**
 * A share of ``n`` labelled answers; ``None`` if there is none.
 */
export interface JudgeShare {
  readonly rate: number | null;
  readonly interval: Interval | null;
  readonly n: number;
}

/**
 * How far a judge agrees with people in all answers, those of a variant, or of a language.
 */
export interface JudgeGroup {
  readonly kind: JudgeGroupKind;
  readonly name: string;
  readonly labelled: number;
  readonly sensitivity: JudgeShare;
  readonly specificity: JudgeShare;
  readonly kappa: number | null;
  readonly kappa_interval: Interval | null;
}

/**
 * The rate of a variant, by the judge alone and corrected.
 *
 * ``difference`` is the corrected difference to the baseline. A corrected figure is ``None`` if
 * ``missing`` labels are missing; then ``raw_difference`` is that of the judge alone.
 */
export interface JudgedRate {
  readonly variant: string;
  readonly n: number;
  readonly raw: number | null;
  readonly raw_interval: Interval | null;
  readonly corrected: number | null;
  readonly interval: Interval | null;
  readonly labelled: number;
  readonly missing: number;
  readonly raw_difference: number | null;
  readonly difference: number | null;
  readonly difference_interval: Interval | null;
}

/**
 * A judge: what it said in all, its rates, and its errors on labelled answers.
 *
 * ``matrix`` has four numbers of labelled answers: the judge and people say yes; only the judge;
 * only people; neither. ``errors_differ`` is the p-value of the hypothesis that the judge errs
 * alike in all variants. ``left_out`` counts labels that correct nothing, by the reason.
 * ``answers`` are those with a verdict that could be read; ``unparsed`` replies are not among them.
 */
export interface JudgeView {
  readonly name: string;
  readonly rubric: string;
  readonly identity: string;
  readonly answers: number;
  readonly unparsed: number;
  readonly undefined: number;
  readonly paid: number | null;
  readonly earlier: number;
  readonly labelled: number;
  readonly left_out: Readonly<Record<string, number>>;
  readonly matrix: readonly [number, number, number, number];
  readonly groups: readonly JudgeGroup[];
  readonly errors_differ: number | null;
  readonly is_biased: boolean;
  readonly rates: readonly JudgedRate[];
  readonly against_people: number;
  readonly against_judges: number;
}

/**
 * Two judges with the same rubric on the same answers: how often they say yes.
 */
export interface JudgePairView {
  readonly first: string;
  readonly second: string;
  readonly n: number;
  readonly both: number;
  readonly only_first: number;
  readonly only_second: number;
  readonly neither: number;
  readonly kappa: number | null;
  readonly kappa_interval: Interval | null;
}

/**
 * Which of two variants a judge prefers, asked in both orders.
 *
 * ``tie`` counts the questions for which the order of the two answers decided.
 */
export interface JudgePreference {
  readonly judge: string;
  readonly first: string;
  readonly second: string;
  readonly first_wins: number;
  readonly second_wins: number;
  readonly equal: number;
  readonly tie: number;
  readonly unparsed: number;
  readonly p: number | null;
}

/**
 * Which items are shown, and in which order.
 *
 * ``show`` is one of all, different, worse, better, failed, skipped, unparsed, abstained, unsure,
 * without_gold, answered, spared, against_people, against_judges, judge_unparsed; the last three are about
 * the judge ``judge`` ("" is any). ``variant`` restricts it to one variant; "" is any variant, and for
 * different, worse, better and the sort by difference any except the baseline.
 * ``metric`` is the one that is compared and shown ("" is the primary one).
 * ``low`` and ``high`` keep items with a value of ``metric`` in this range in the chosen variant
 * (any, if none is chosen). ``tag`` is a tag, or several on lines of their own, all of which an
 * item must have. ``text`` is searched in questions and answers, without regard to
 * case; as a regular expression if ``regex``. ``sort`` is ``file`` (the order of the questions),
 * ``difference`` (worst first), ``id``, or a variant's name; ``descending`` turns it round.
 */
export interface ItemQuery {
  readonly show: string;
  readonly variant: string;
  readonly metric: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly source: string;
  readonly tag: string;
  readonly text: string;
  readonly regex: boolean;
  readonly sort: string;
  readonly descending: boolean;
  readonly judge: string;
  readonly offset: number;
  readonly limit: number;
}

/**
 * A case in the table of items: its value of the chosen metric, and how it ended.
 *
 * ``is_unsure`` if a check is unsure of a score of the answer.
 */
export interface ItemCell {
  readonly status: CellStatus;
  readonly value: number | null;
  readonly mark: Mark;
  readonly is_abstained: boolean | null;
  readonly is_unsure: boolean;
}

/**
 * An item: its index in the run, and one cell for each variant in the run's order.
 */
export interface ItemRow {
  readonly item: number;
  readonly id: string;
  readonly question: string;
  readonly source: string;
  readonly cells: readonly ItemCell[];
}

/**
 * Items ``offset`` and following; ``total`` is ``None`` if counting takes longer (ask count).
 */
export interface ItemPage {
  readonly rows: readonly ItemRow[];
  readonly offset: number;
  readonly total: number | null;
  readonly is_last: boolean;
}

/**
 * How many items match.
 */
export interface ItemCount {
  readonly total: number;
}

/**
 * A part of a long text from character ``offset`` on; ``total`` is the length of the whole.
 *
 * ``next`` is the offset of the next part, ``None`` after the last one. Characters are code
 * points, as Python counts them.
 */
export interface TextPart {
  readonly text: string;
  readonly offset: number;
  readonly total: number;
  readonly next: number | null;
}

/**
 * A retrieved passage in the order of the answer's citations; ``spans`` are cited stretches.
 *
 * ``spans`` count code points of ``text``.
 */
export interface PassageView {
  readonly id: string;
  readonly number: number;
  readonly text: string | null;
  readonly page: number | null;
  readonly score: number | null;
  readonly rank: number | null;
  readonly is_gold: boolean | null;
  readonly is_cited: boolean;
  readonly spans: readonly (readonly [number, number])[];
  readonly is_cut: boolean;
}

/**
 * A step of the system: its time, why it was skipped, and what it kept.
 */
export interface StageView {
  readonly name: string;
  readonly elapsed_s: number | null;
  readonly skipped: string | null;
  readonly detail: string;
}

/**
 * One score of an answer with its reason in words.
 *
 * ``unsure`` says which way the score leans and why, if the check is unsure of it.
 */
export interface ScoreView {
  readonly name: string;
  readonly title: Said;
  readonly value: string;
  readonly reason: Said | null;
  readonly unsure: Message | null;
}

/**
 * What one variant answered.
 */
export interface AnswerView {
  readonly variant: string;
  readonly status: CellStatus;
  readonly answer: string | null;
  readonly error: string | null;
  readonly passages: readonly PassageView[] | null;
  readonly stages: readonly StageView[];
  readonly scores: readonly ScoreView[];
  readonly value: number | null;
  readonly mark: Mark;
  readonly elapsed_s: number | null;
  readonly is_first_in_flight: boolean;
  readonly cost: number | null;
  readonly tokens: readonly [number, number] | null;
  readonly is_abstained: boolean | null;
  readonly attempts: number | null;
  readonly is_cut: boolean;
  readonly verdicts: readonly VerdictView[];
}

/**
 * A gold passage: its id, and its text if a row or the corpus has it.
 */
export interface GoldView {
  readonly id: string;
  readonly text: string | null;
}

/**
 * One question with everything that was expected and answered.
 */
export interface ItemView {
  readonly item: number;
  readonly id: string;
  readonly question: string;
  readonly source: string;
  readonly expected: readonly (readonly [Said, Said])[];
  readonly gold: readonly GoldView[];
  readonly tags: readonly string[];
  readonly answers: readonly AnswerView[];
  readonly is_cut: boolean;
}

/**
 * Why a call failed, as the command line would say it.
 */
export interface Problem {
  readonly error: Said;
}

/**
 * How many cases ended in which way; ``unparsed`` ones are also among the scored ones.
 */
export interface Counts {
  readonly scored: number;
  readonly answered: number;
  readonly failed: number;
  readonly skipped: number;
  readonly unparsed: number;
  readonly spared: number;
  readonly total: number | null;
}

/**
 * What a person wrote about a run; ``title`` is shown in place of its name.
 */
export interface RunAbout {
  readonly title: string;
  readonly tags: readonly string[];
  readonly note: string;
  readonly is_archived: boolean;
}

/**
 * One run in the list of runs.
 *
 * ``id`` is its path from the workspace without ``.jsonl``; ``state`` is ``complete``, ``ended``
 * (every case was asked, some without success), ``partial``, ``running``, ``failed`` or ``unreadable``; ``problem`` says why it cannot be read.
 * ``headline`` has the value of the metric ``metric`` for the baseline, or for the only variant;
 * ``unsure`` answers leave it between the ends of ``band``;
 * ``finding`` is the strongest finding in one short sentence. ``broken_lines`` of its file are
 * no rows and are left out. ``about`` is what a person wrote. ``kind`` is the job, or ``run`` if
 * the command ``assay run`` made it, as ``assay list`` has it.
 */
export interface RunCard {
  readonly id: string;
  readonly name: string;
  readonly job: string;
  readonly kind: string;
  readonly system: string;
  readonly state: string;
  readonly counts: Counts;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly questions: number | null;
  readonly variants: readonly string[];
  readonly metric: Title | null;
  readonly headline: number | null;
  readonly interval: Interval | null;
  readonly finding: Message | null;
  readonly unsure: number;
  readonly band: Interval | null;
  readonly paid: number | null;
  readonly elapsed_s: number | null;
  readonly problem: string | null;
  readonly broken_lines: number;
  readonly about: RunAbout | null;
}

/**
 * The folder that is shown, and its runs, newest first; and whether it has drafted questions.
 */
export interface Workspace {
  readonly name: string;
  readonly version: string;
  readonly runs: readonly RunCard[];
  readonly is_static: boolean;
  readonly is_read_only: boolean;
  readonly has_drafts: boolean;
}

/**
 * A metric: its name for programs, its title, and how its values are shown.
 *
 * ``kind`` is ``rate`` (0 to 1, yes/no per item), ``share`` (0 to 1), ``time``, ``money`` or
 * ``number``. ``is_bounded`` is true if the axis of a chart ends at 0 and 1.
 */
export interface MetricInfo {
  readonly name: string;
  readonly title: Title;
  readonly formula: string;
  readonly undefined: Message | null;
  readonly higher_is_better: boolean | null;
  readonly unit: string;
  readonly kind: string;
  readonly is_bounded: boolean;
  readonly family: string;
}

/**
 * A rate corrected by ``labelled`` labels of people.
 */
export interface CorrectedRate {
  readonly value: number;
  readonly interval: Interval | null;
  readonly labelled: number;
}

/**
 * A variant's value of a metric; ``None`` is undefined, and ``reason`` says why.
 *
 * ``band`` is what ``unsure`` answers leave open: from all of them wrong to all of them right.
 */
export interface Cell {
  readonly value: number | null;
  readonly n: number;
  readonly interval: Interval | null;
  readonly reason: Message | null;
  readonly unsure: number;
  readonly band: Interval | null;
  readonly corrected: CorrectedRate | null;
  readonly is_best: boolean;
  readonly is_worst: boolean;
}

/**
 * A variant against the baseline on one metric.
 *
 * ``interval`` belongs to the test: it leaves out 0 exactly if ``p`` is below .05. ``plain`` is
 * the interval of this difference alone. ``verdict`` is ``better``, ``worse``, ``unclear``,
 * ``too few``, ``same``, or ``untested`` for a percentile. In a run that stopped early it is ``better``, ``worse``, ``equivalent`` or
 * ``undecided``, ``interval`` holds at every moment, and ``decided_after`` is the number of questions.
 * If nothing changed, ``at_most`` is the largest share of such questions that would, or of such documents
 * if ``unit`` is ``document``.
 */
export interface Difference {
  readonly variant: string;
  readonly metric: string;
  readonly difference: number | null;
  readonly interval: Interval | null;
  readonly plain: Interval | null;
  readonly p: number | null;
  readonly verdict: string;
  readonly n: number;
  readonly gained: number | null;
  readonly lost: number | null;
  readonly family: string;
  readonly stars: string;
  readonly detectable: number | null;
  readonly at_most: number | null;
  readonly unit: string;
  readonly decided_after: number | null;
}

/**
 * A variant with its counts, its values by metric, what it cost, and its settings.
 */
export interface VariantView {
  readonly name: string;
  readonly is_baseline: boolean;
  readonly counts: Counts;
  readonly cells: Readonly<Record<string, Cell>>;
  readonly cost: number | null;
  readonly paid: number | null;
  readonly judge_paid: number | null;
  readonly calls: number | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly order: number | null;
}

/**
 * A table as people read it.
 *
 * A cell is a plain text, or a message. ``marks`` has
 * ``best``, ``worst`` or an empty text for each cell; it is empty if there are no marks.
 */
export interface TableView {
  readonly title: Said;
  readonly columns: readonly Said[];
  readonly rows: readonly (readonly Said[])[];
  readonly notes: readonly Said[];
  readonly marks: readonly (readonly string[])[];
}

/**
 * A chart as data; the page draws it, and shows the same numbers as a table and as CSV.
 *
 * ``kind``: ``differences`` (points with intervals around zero), ``bars`` (values with intervals),
 * ``line`` (over an ordered variable), ``tradeoff`` (latency against quality, with the Pareto
 * front), ``cost``, ``heatmap`` (depth by length), ``stretches`` (along a novel), ``confusion`` (expected by predicted),
 * ``groups`` (bars by group and variant, for example by type of question), ``reasons`` and
 * ``sequence`` (the interval over the number of questions, in a run that stopped early).
 * ``data`` depends on the kind; ``src/assay/web/chart.py`` says how.
 */
export interface ChartView {
  readonly id: string;
  readonly kind: string;
  readonly title: Said;
  readonly x: Said;
  readonly y: Said;
  readonly note: Said | null;
  readonly data: unknown;
}

/**
 * A field of the questions by which a run can be divided, and the number of its values.
 */
export interface GroupField {
  readonly name: string;
  readonly values: number;
}

/**
 * A variant against the baseline in each group; ``Difference.variant`` is the group.
 */
export interface GroupPlot {
  readonly variant: string;
  readonly differences: readonly Difference[];
}

/**
 * A metric in the groups of a field: in words, as differences, and as tables.
 */
export interface GroupView {
  readonly field: string;
  readonly metric: string;
  readonly sentences: readonly Said[];
  readonly plots: readonly GroupPlot[];
  readonly tables: readonly TableView[];
}

/**
 * What was run on what: facts in order, the header, and the command that was typed.
 *
 * ``resume`` is the command that goes on with the run. Both are empty if none is recorded.
 */
export interface Setup {
  readonly facts: readonly (readonly [Said, Said])[];
  readonly command: string;
  readonly resume: string;
  readonly header: Readonly<Record<string, unknown>>;
}

/**
 * An error that cases failed with, and how many did.
 */
export interface Failure {
  readonly error: string;
  readonly count: number;
}

/**
 * One run: sentences first, then numbers, then what they were made from.
 *
 * ``about`` says what all numbers are about, if that depends on documents. ``failures`` are the errors
 * of failed cases, the most frequent first. ``stops_early`` if a variant
 * was asked until its comparison was decided: then there are no p-values. ``judges`` have judged its
 * answers; ``judge_pairs`` compare those with the same rubric. ``unsure`` is the number of answers
 * that a check is unsure of. ``fields`` make groups of questions; ``shown_field`` is the one that is
 * shown first, if any.
 */
export interface RunView {
  readonly card: RunCard;
  readonly sentences: readonly Said[];
  readonly reservations: readonly Said[];
  readonly about: readonly Said[];
  readonly primary: string;
  readonly baseline: string;
  readonly metrics: readonly MetricInfo[];
  readonly variants: readonly VariantView[];
  readonly differences: readonly Difference[];
  readonly charts: readonly ChartView[];
  readonly tables: readonly TableView[];
  readonly setup: Setup;
  readonly sources: readonly string[];
  readonly tags: readonly string[];
  readonly items: number;
  readonly outside: number;
  readonly failures: readonly Failure[];
  readonly stops_early: boolean;
  readonly judges: readonly JudgeView[];
  readonly judge_pairs: readonly JudgePairView[];
  readonly judge_preferences: readonly JudgePreference[];
  readonly unsure: number;
  readonly fields: readonly GroupField[];
  readonly shown_field: string;
}

/**
 * A question whose score differs between two runs, with both answers and its id in each run.
 */
export interface ChangedItem {
  readonly id: string;
  readonly question: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly base_item: string | null;
  readonly cand_item: string | null;
  readonly base_answer: string | null;
  readonly cand_answer: string | null;
}

/**
 * How the question sets of two runs differ; the comparison is about the ``both`` ones.
 *
 * ``changed`` have the same id and another question, gold or expected answer.
 */
export interface SharedSets {
  readonly base_version: string;
  readonly cand_version: string;
  readonly both: number;
  readonly changed: readonly string[];
  readonly changed_total: number;
  readonly only_base: number;
  readonly only_cand: number;
}

/**
 * Two runs: the verdict of the gate and its settings, or why they cannot be compared.
 *
 * ``exit_code`` is what ``assay compare`` would end with, and ``command`` is that command. If only
 * the question sets differ, the code is 2, and ``shared`` says on which questions the rest of the
 * view compares the runs. ``counts`` says how many pairs were compared and how many questions stand
 * how. ``unscored`` is how many cases failed or are not judged in the run that has more of them,
 * ``max_failed`` how many are allowed; the command allows all of them. ``unpaired`` are the metrics
 * of the base without a question that has a value in both runs. ``outcome`` is what the code does not
 * tell: ``unclear`` if there is a ``margin``, or a difference within which both are ``equivalent``, and
 * too few questions to tell.
 */
export interface CompareView {
  readonly base: RunCard;
  readonly cand: RunCard;
  readonly exit_code: number;
  readonly headline: Said;
  readonly reasons: readonly Said[];
  readonly settings: readonly (readonly [Said, Said])[];
  readonly command: string;
  readonly differences: readonly Difference[];
  readonly metrics: readonly MetricInfo[];
  readonly changed: readonly ChangedItem[];
  readonly changed_total: number;
  readonly shared: SharedSets | null;
  readonly counts: readonly (readonly [Said, number])[];
  readonly unscored: number;
  readonly max_failed: number;
  readonly unpaired: readonly string[];
  readonly outcome: "passed" | "failed" | "unclear" | "invalid";
  readonly margin: number | null;
  readonly equivalent: number | null;
}

/**
 * The ids of the runs that go on now.
 */
export interface LiveRuns {
  readonly runs: readonly string[];
}

/**
 * What a variant has of the primary metric so far, over ``n`` answers.
 */
export interface LiveValue {
  readonly variant: string;
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly n: number;
  readonly is_baseline: boolean;
}

/**
 * One of the last rows, cut to what a line shows.
 */
export interface LiveAnswer {
  readonly question_id: string;
  readonly variant: string;
  readonly status: string;
  readonly question: string;
  readonly answer: string;
  readonly value: number | null;
}

/**
 * A run that goes on, as far as its journal says.
 *
 * ``done`` counts the cases that have an outcome, ``left`` those that this run will still ask.
 * ``rate`` is in cases a second; ``ceiling`` is what the run may cost at most. ``failures`` are
 * the failed cases by kind, the most frequent first.
 */
export interface LiveRun {
  readonly run: string;
  readonly name: string;
  readonly job: string;
  readonly is_running: boolean;
  readonly total: number | null;
  readonly done: number;
  readonly left: number | null;
  readonly counts: Counts;
  readonly failures: readonly (readonly [string, number])[];
  readonly paid: number | null;
  readonly ceiling: number | null;
  readonly rate: number | null;
  readonly eta_s: number | null;
  readonly elapsed_s: number | null;
  readonly metric: Title | null;
  readonly kind: string;
  readonly values: readonly LiveValue[];
  readonly last: readonly LiveAnswer[];
}

/**
 * The end of the rows of a run that does not go on; ``rows`` were sent by this stream.
 */
export interface RunEnd {
  readonly run: string;
  readonly rows: number;
}

/**
 * A field of the form of a job: an option of its command.
 *
 * ``choices`` are all values of a choice; for a file, the files of the workspace that fit. ``titles``
 * are their names for people, in the same order; empty if they have none. Settings
 * are lines of ``NAME=VALUE``; a place is a file or folder for results.
 * ``group`` is ``data``, ``system``, ``method`` or ``limit``.
 */
export interface StartField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly group: string;
  readonly choices: readonly string[];
  readonly titles: readonly Title[];
  readonly is_required: boolean;
}

/**
 * A job that can be started, and its form.
 */
export interface StartJob {
  readonly job: string;
  readonly fields: readonly StartField[];
}

/**
 * The jobs that can be started; ``problem`` says why the experiments cannot be read.
 */
export interface StartForm {
  readonly jobs: readonly StartJob[];
  readonly problem: string | null;
}

/**
 * A job with the values of its form; ``is_dry`` only estimates, in the language of the page.
 */
export interface StartRequest {
  readonly job: string;
  readonly options: Readonly<Record<string, string | number | number | boolean>>;
  readonly is_dry: boolean;
  readonly lang: "" | "en" | "zh" | "ru";
}

/**
 * Go on with a run, with another ceiling if one is given; a run that goes on is stopped first.
 */
export interface ResumeRequest {
  readonly max_cost: number | null;
}

/**
 * Whether the page can go on with a run, and the command by which a terminal can.
 *
 * The command is empty if none is recorded, as for a run that was started from Python.
 */
export interface Resumption {
  readonly is_offered: boolean;
  readonly command: string;
}

/**
 * A command that the page started.
 *
 * ``state`` is ``starting``, ``running`` (its run is ``run``) or ``ended`` (with ``code``, which
 * is ``None`` if the server has been started again since). ``output`` is the end of what it
 * printed.
 */
export interface Started {
  readonly id: string;
  readonly job: string;
  readonly command: string;
  readonly state: "starting" | "running" | "ended";
  readonly run: string | null;
  readonly code: number | null;
  readonly output: string;
}

/**
 * What changes in the notes about a run; ``None`` leaves a part as it is.
 */
export interface AboutChange {
  readonly title: string | null;
  readonly tags: readonly string[] | null;
  readonly note: string | null;
  readonly is_archived: boolean | null;
}

/**
 * What was done, for example the new names of files.
 */
export interface Done {
  readonly names: readonly string[];
}

/**
 * What the person who asks has said about an answer.
 */
export interface OwnLabel {
  readonly verdict: LabelVerdict;
  readonly span: readonly [number, number] | null;
  readonly comment: string | null;
  readonly corrected_answer: string | null;
  readonly time: string;
}

/**
 * An answer to be labelled; ``variants`` is empty if it is shown blind.
 *
 * ``span`` of a label counts code points of ``text``.
 */
export interface LabelledAnswer {
  readonly hash: string;
  readonly text: string;
  readonly is_cut: boolean;
  readonly variants: readonly string[];
  readonly passages: readonly PassageView[] | null;
  readonly label: OwnLabel | null;
}

/**
 * One question with its answers. ``chosen`` is the preference of a pair.
 *
 * ``chosen`` is the hash of an answer, ``equal``, ``unclear``, or empty if nothing was said.
 */
export interface LabelTask {
  readonly item: number;
  readonly id: string;
  readonly question: string;
  readonly source: string;
  readonly expected: readonly (readonly [Said, Said])[];
  readonly answers: readonly LabelledAnswer[];
  readonly is_blind: boolean;
  readonly chosen: string;
}

/**
 * The next question with an answer that the person has not labelled; ``None`` if all are.
 *
 * ``done`` of ``total`` answers (or pairs) are labelled.
 */
export interface LabelPlace {
  readonly item: number | null;
  readonly done: number;
  readonly total: number;
}

/**
 * A person, and how many answers got which verdict: right, partly, wrong, cannot tell.
 */
export interface LabelPerson {
  readonly name: string;
  readonly verdicts: readonly number[];
}

/**
 * Two people: answers in common, how many verdicts are the same, Cohen's kappa.
 */
export interface LabelPair {
  readonly first: string;
  readonly second: string;
  readonly n: number;
  readonly same: number;
  readonly kappa: number | null;
  readonly interval: Interval | null;
}

/**
 * An answer with different verdicts: who said what, and with which comment.
 */
export interface Disagreement {
  readonly item: number;
  readonly id: string;
  readonly question: string;
  readonly variants: readonly string[];
  readonly said: readonly (readonly [string, string, string])[];
}

/**
 * How often people preferred which of two variants; the interval is of ``first`` of decided.
 */
export interface PairCount {
  readonly first: string;
  readonly second: string;
  readonly first_wins: number;
  readonly second_wins: number;
  readonly equal: number;
  readonly unclear: number;
  readonly interval: Interval | null;
}

/**
 * The labels of a run: people, agreement, disagreements, preferences, and the file.
 *
 * ``labelled`` of the ``answers`` of all variants have a label. Equal answers of several variants to a
 * question are one answer to people and to agreement: ``distinct`` is the number of these.
 * ``outdated`` labels are about answers that have changed since, or are gone; they count nowhere.
 */
export interface LabelBoard {
  readonly file: string;
  readonly answers: number;
  readonly labelled: number;
  readonly distinct: number;
  readonly outdated: number;
  readonly people: readonly LabelPerson[];
  readonly shared: number;
  readonly alpha: number | null;
  readonly interval: Interval | null;
  readonly pairs: readonly LabelPair[];
  readonly disagreements: readonly Disagreement[];
  readonly disagreement_count: number;
  readonly preferences: readonly PairCount[];
}

/**
 * A label as the page sends it.
 */
export interface NewLabel {
  readonly item: number;
  readonly labeller: string;
  readonly answer_hash: string;
  readonly verdict: LabelVerdict;
  readonly span: readonly [number, number] | null;
  readonly comment: string | null;
  readonly corrected_answer: string | null;
  readonly is_blind: boolean;
}

/**
 * A preference as the page sends it; ``chosen`` as in ``LabelTask``.
 */
export interface NewPreference {
  readonly item: number;
  readonly labeller: string;
  readonly pair: readonly [string, string];
  readonly chosen: string;
  readonly comment: string | null;
  readonly is_blind: boolean;
}

/**
 * How many rows say this now, and how many of them were written by this request.
 */
export interface LabelSaved {
  readonly rows: number;
  readonly written: number;
}

/**
 * The file as it is on disk; ``version`` is a hash of it, empty if there is no file.
 */
export interface ConfigureStart {
  readonly path: string;
  readonly text: string;
  readonly version: string;
  readonly experiments: readonly string[];
}

/**
 * A setting that changes and its values; for a design its values are off and on.
 */
export interface DraftVariable {
  readonly name: string;
  readonly values: readonly unknown[];
}

/**
 * One experiment as a form; empty texts and ``None`` stand for what the file leaves out.
 *
 * ``has_variants`` if the file lists variants with names: the form leaves them as they are.
 */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly system: string;
  readonly questions_path: string;
  readonly baseline: string;
  readonly design: Design;
  readonly variables: readonly DraftVariable[];
  readonly primary: string;
  readonly question_limit: number | null;
  readonly top_k: number | null;
  readonly has_variants: boolean;
}

/**
 * A system of the page: an address that answers with JSON, or an OpenAI-type model.
 */
export interface NewSystem {
  readonly name: string;
  readonly kind: "http" | "openai";
  readonly url: string;
  readonly model: string;
  readonly api_key_env: string;
  readonly answer: string;
}

/**
 * A text to check; ``draft`` is written into the experiment first, ``system`` is added.
 */
export interface CheckRequest {
  readonly text: string;
  readonly experiment: string;
  readonly draft: Draft | null;
  readonly system: NewSystem | null;
}

/**
 * A message of the command line, the field it belongs to, and its line (0 if it has none).
 */
export interface ConfigureProblem {
  readonly field: string;
  readonly message: string;
  readonly line: number;
}

/**
 * A setting of the system; ``only_when`` says in words when it has an effect.
 */
export interface SettingView {
  readonly name: string;
  readonly kind: string;
  readonly choices: readonly unknown[];
  readonly default: unknown;
  readonly only_when: string;
  readonly description: string;
}

/**
 * A file of questions: how many, in which languages, and the first of them.
 */
export interface QuestionSet {
  readonly path: string;
  readonly count: number;
  readonly languages: readonly (readonly [string, number])[];
  readonly preview: readonly (readonly [string, string])[];
}

/**
 * A metric that can decide.
 */
export interface MetricChoice {
  readonly name: string;
  readonly title: Title;
}

/**
 * What ``--dry-run`` says; ``None`` is unknown.
 *
 * ``is_time_of_earlier_runs`` if the time comes from other runs with the same settings.
 */
export interface DryRun {
  readonly cases: number;
  readonly recorded: number;
  readonly calls: number | null;
  readonly calls_without_sharing: number | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly cost: number | null;
  readonly seconds: number | null;
  readonly variants: readonly string[];
  readonly lines: readonly string[];
  readonly is_time_of_earlier_runs: boolean;
}

/**
 * Everything about a text and one of its experiments.
 */
export interface Checked {
  readonly text: string;
  readonly experiment: string;
  readonly experiments: readonly string[];
  readonly draft: Draft | null;
  readonly problems: readonly ConfigureProblem[];
  readonly systems: readonly string[];
  readonly baselines: readonly string[];
  readonly settings: readonly SettingView[] | null;
  readonly metrics: readonly MetricChoice[];
  readonly question_files: readonly string[];
  readonly questions: QuestionSet | null;
  readonly dry_run: DryRun | null;
  readonly command: string;
}

/**
 * A test question for a system of the text.
 */
export interface TryRequest {
  readonly text: string;
  readonly system: string;
  readonly question: string;
}

/**
 * The answer to a test question, or the message of the command line.
 */
export interface Tried {
  readonly answer: string | null;
  readonly problem: string | null;
  readonly elapsed_s: number | null;
}

/**
 * A text to write; ``version`` is that of the file that was opened.
 */
export interface SaveRequest {
  readonly text: string;
  readonly version: string;
}

/**
 * A question of a file with its gold; ``version`` is a hash of the file.
 */
export interface AskedQuestion {
  readonly path: string;
  readonly id: string;
  readonly text: string;
  readonly gold: readonly string[];
  readonly version: string;
}

/**
 * What can be searched and changed: the files of questions, and the question of the address.
 *
 * ``ids`` are the questions of the file, the first ones. ``problem`` says why the question cannot
 * be shown.
 */
export interface CorpusView {
  readonly files: readonly string[];
  readonly ids: readonly string[];
  readonly question: AskedQuestion | null;
  readonly problem: string;
}

/**
 * Words to search for; ``source`` is a document, or a part of its name ("" is any).
 */
export interface SearchRequest {
  readonly text: string;
  readonly source: string;
  readonly limit: number;
}

/**
 * A passage of the corpus; ``start`` and ``end`` are its place in the document.
 */
export interface FoundPassage {
  readonly id: string;
  readonly source: string;
  readonly text: string;
  readonly score: number;
  readonly page: number | null;
  readonly start: number | null;
  readonly end: number | null;
}

/**
 * The best passages, the best first, and the documents of the corpus.
 */
export interface FoundPassages {
  readonly passages: readonly FoundPassage[];
  readonly sources: readonly string[];
}

/**
 * A passage becomes gold of a question, or no longer is.
 */
export interface GoldChange {
  readonly path: string;
  readonly question: string;
  readonly version: string;
  readonly passage: FoundPassage;
  readonly is_gold: boolean;
}

/**
 * A file of drafts, and how far its review has come.
 *
 * ``last`` is the newest version of the set; empty if there is none.
 */
export interface DraftCount {
  readonly name: string;
  readonly total: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly last: string;
}

/**
 * The files of drafts of the workspace.
 */
export interface DraftBoard {
  readonly files: readonly DraftCount[];
}

/**
 * The next draft without a decision; ``None`` if there is none. And how far the review is.
 */
export interface DraftPlace {
  readonly item: number | null;
  readonly total: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly last: string;
}

/**
 * A stretch of a document with what stands before and after it.
 */
export interface DraftEvidence {
  readonly source: string;
  readonly before: string;
  readonly text: string;
  readonly after: string;
  readonly is_found: boolean;
}

/**
 * What ``assay questions check`` says about a draft.
 */
export interface DraftFinding {
  readonly kind: string;
  readonly level: string;
  readonly what: Said;
}

/**
 * One draft. ``question`` and ``answer`` are the drafted texts, the others the edited ones.
 *
 * ``choices`` are letters with texts. ``place`` counts from 1.
 */
export interface DraftTask {
  readonly item: number;
  readonly place: number;
  readonly id: string;
  readonly hash: string;
  readonly kind: string;
  readonly by: string;
  readonly language: string;
  readonly question: string;
  readonly answer: string;
  readonly is_answerable: boolean;
  readonly choices: readonly (readonly [string, string])[];
  readonly evidence: readonly DraftEvidence[];
  readonly findings: readonly DraftFinding[];
  readonly verdict: DraftState;
  readonly reviewer: string;
  readonly edited_question: string | null;
  readonly edited_answer: string | null;
}

/**
 * A decision as the page sends it; the texts only if they were edited.
 */
export interface NewDecision {
  readonly item: number;
  readonly hash: string;
  readonly reviewer: string;
  readonly verdict: DraftState;
  readonly question: string | null;
  readonly answer: string | null;
}

/**
 * The request to write the next version; it has no options.
 */
export interface NewVersion {
}

/**
 * The version that was written.
 */
export interface DraftVersion {
  readonly file: string;
  readonly questions: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * A question; ``right`` has the letters of the correct choices.
 */
export interface ListedQuestion {
  readonly text: string;
  readonly choices: readonly (readonly [string, string])[];
  readonly correct: string;
  readonly right: readonly string[];
  readonly position: readonly [number, number] | null;
}

/**
 * An answer with its score, and the depth at which the evidence was.
 */
export interface ListedReply {
  readonly answer: string;
  readonly score: number;
  readonly parsed: boolean;
  readonly depth: number | null;
}

/**
 * The index of a question in the questions of a page, and its answers, one of each model.
 */
export interface Entry {
  readonly question: number;
  readonly replies: readonly ListedReply[];
}

/**
 * The questions of a tile.
 *
 * ``more`` has for each view, ``all`` and ``parsed``, how many answers are not listed, and how many
 * of them are right; if there are two models, how many of them changed.
 */
export interface Listing {
  readonly models: readonly string[];
  readonly entries: readonly Entry[];
  readonly more: Readonly<Record<string, readonly [number, number]>>;
}

/**
 * What a map shows, and what its page shows first.
 */
export interface MapOptions {
  readonly mode: Mode;
  readonly title: string;
  readonly view: View;
  readonly mean: Mean;
  readonly palette: PaletteName;
  readonly bins: number;
  readonly total_tokens: number | null;
}

/**
 * The maps of one or several results in a file, with the questions behind their cells.
 *
 * ``is_parsed_only``, ``is_mean_of_questions`` and ``is_safe`` are what the maps show first.
 */
export interface MapView {
  readonly title: Said;
  readonly charts: readonly ChartView[];
  readonly summary: TableView;
  readonly questions: readonly ListedQuestion[];
  readonly listings: readonly Listing[];
  readonly is_parsed_only: boolean;
  readonly is_mean_of_questions: boolean;
  readonly is_safe: boolean;
}
