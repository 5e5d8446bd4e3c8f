"""What the commands of ``assay judge`` do, with the files of a workspace."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from assay.checks.correctness import CHECK, SAYS_RIGHT
from assay.checks.registered import SCORES
from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.system import JudgeConfig
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.judge.calibration import JUDGE_PREFIX, Calibration, calibrate, error_counts
from assay.judge.exchange import read_label_file
from assay.judge.label import Label
from assay.judge.label_store import labels_path, read_labels
from assay.judge.labelled_answers import (
    Sample,
    ScoreByName,
    field_scores,
    item_names,
    make_sample,
    unsure_cases,
)
from assay.judge.rubric import Rubric, own_rubric, rubric_named
from assay.judge.rubric_judge import PairJudge, RubricJudge
from assay.judge.subject import MASKED_TEXT, NO_ANSWER, SPARED, RecordedCase, read_recorded
from assay.judge.verdict import JudgeVerdicts, damaged_lines, read_verdicts, verdict_notes
from assay.registry import nearest
from assay.results.find_results import find_results
from assay.results.job import job_spec_of
from assay.results.run_cases import read_run_cases, stopped_early
from assay.runs.redaction import follow_run
from assay.runs.summary import Summary, read_summary
from assay.runs.write import summary_path, verdicts_path
from assay.stats.corrected import Corrected, corrected_mean
from assay.stats.judge_error import ErrorCounts
from assay.systems.load import (
    SystemContext,
    load_configuration,
    make_system_context,
    model_client,
)
from assay.words.message import Message, message

# The judges that ``experiments.yaml`` names.


def load_judge(
    name: str,
    workspace: Workspace,
    document: ConfigDocument[ExperimentFile] | None,
    context: SystemContext,
    *,
    retries: int | None = None,
) -> RubricJudge:
    """The judge ``name`` of the configuration; ``retries`` replaces that of its model."""
    client = model_client(_config(name, document).model, context, retries=retries)
    return RubricJudge(name, load_rubric(name, workspace, document), client)


def load_pair_judge(
    name: str,
    document: ConfigDocument[ExperimentFile] | None,
    context: SystemContext,
    *,
    retries: int | None = None,
) -> PairJudge:
    """The model of the judge ``name``, asked which of two answers is better."""
    return PairJudge(name, model_client(_config(name, document).model, context, retries=retries))


def load_rubric(
    name: str, workspace: Workspace, document: ConfigDocument[ExperimentFile] | None
) -> Rubric:
    """The rubric of the judge ``name``: one of the package, or a Markdown file."""
    config = _config(name, document)
    if not config.rubric.endswith(".md"):
        return rubric_named(config.rubric)
    assert document is not None
    path = workspace.resolve(config.rubric, document.where("judges", name, "rubric"))
    return own_rubric(path)


def same_model_warning(
    judge: RubricJudge | PairJudge, name: str, summary: Summary | None
) -> Message | str:
    """A warning if the judge asks the same model that gave the answers; empty if it does not."""
    if summary is None:
        return ""
    model = judge.client.config.model
    asked = [summary.system, *(str(variant.settings) for variant in summary.variants)]
    systems = [text for text in asked if f":{model}@" in text or f" {model}@" in text]
    if not systems and not any(f"'{model}'" in text for text in asked):
        return ""
    return message(
        "the judge {name} asks {model}, the model that gave the answers: models prefer their own answers. Check it against labels (assay judge check), or use another model",
        name=name,
        model=model,
    )


def _config(name: str, document: ConfigDocument[ExperimentFile] | None) -> JudgeConfig:
    judges = document.value.judges if document is not None else {}
    if name in judges:
        return judges[name]
    where = f"{document.path}: " if document is not None else ""
    if not judges:
        raise UseError(
            f"{where}no judges are configured; add to it, for example, "
            "judges: {correct: {model: NAME, rubric: correctness}}"
        )
    raise UseError(
        f"{where}there is no judge {name!r}{nearest(name, judges)}; known: {', '.join(judges)}"
    )


def refuse_without_judge(workspace: Workspace) -> NoReturn:
    """Raise ``UseError`` with the judges that one could name."""
    document = load_configuration(workspace)
    if document is None or not document.value.judges:
        _config("", document)
    assert document is not None
    raise UseError(
        f"name a judge with --judge: {document.path} has {', '.join(document.value.judges)}"
    )


CORRECTNESS: Final = "correctness"
CHECKS: Final[Mapping[str, tuple[str, ...]]] = {
    CORRECTNESS: (CHECK,),
    "abstention": ("abstained", "abstained_when_unanswerable", "wrong_abstention"),
}
"""The values of rows that say what a judge with this rubric says, too."""
SURE: Final = "the check is sure of it"


class OpenRun(Struct, frozen=True, kw_only=True):
    """A recorded run with its answers.

    ``unanswered`` cases have none, ``spared`` ones were not asked, ``masked`` ones have no text.
    """

    journal: Path
    workspace: Workspace
    summary: Summary | None
    cases: tuple[RecordedCase, ...]
    unanswered: int
    spared: int = 0
    masked: int = 0

    @property
    def baseline(self) -> str:
        """The variant that the others are compared with; empty if it is not known."""
        return str(self.summary.extra.get("baseline", "")) if self.summary else ""

    @property
    def stops_early(self) -> bool:
        """Whether the answers decided which questions were asked."""
        cases = read_run_cases(self.journal, self.summary, job_spec_of(self.summary))
        return stopped_early(self.journal, self.summary, cases)


def open_run(workspace: Workspace, name: str) -> OpenRun:
    """Open a run by its name or its file."""
    journal = find_results(workspace, name)
    follow_run(journal)
    recorded = read_recorded(journal, workspace)
    return OpenRun(
        journal=journal,
        workspace=workspace,
        summary=read_summary(summary_path(journal)),
        cases=recorded.cases,
        unanswered=recorded.unanswered,
        spared=recorded.spared,
        masked=recorded.masked,
    )


@contextmanager
def open_judge(
    run: OpenRun,
    name: str,
    *,
    pairs: bool = False,
    use_cache: bool = True,
    retries: int | None = None,
) -> Iterator[tuple[RubricJudge | PairJudge, ConfigDocument[ExperimentFile] | None]]:
    """The judge ``name`` with its model; the call cache is closed at the end.

    ``retries`` is how often a call is made again, if it is not that of the model's configuration.
    """
    document = load_configuration(run.workspace)
    context = make_system_context(run.workspace, document, use_cache=use_cache)
    try:
        if pairs:
            yield load_pair_judge(name, document, context, retries=retries), document
        else:
            judge = load_judge(name, run.workspace, document, context, retries=retries)
            yield judge, document
    finally:
        context.close()


def judgeable(
    run: OpenRun, judge: RubricJudge | PairJudge, *, unsure_only: bool = False
) -> tuple[list[RecordedCase], dict[str, int]]:
    """The answers that the judge can judge, and the number of others by the reason.

    With ``unsure_only``, those that the check of the same question is sure of are among the others.
    """
    reasons = [case.missing(judge.rubric) for case in run.cases]
    if unsure_only:
        unsure = unsure_cases(run.journal, CHECKS.get(judge.rubric.name, (CHECK,)))
        keys = [case.case.key for case in run.cases]
        reasons = [
            reason or ("" if key in unsure else SURE)
            for key, reason in zip(keys, reasons, strict=True)
        ]
    skipped = Counter(reason for reason in reasons if reason)
    if run.unanswered:
        skipped[NO_ANSWER] += run.unanswered
    if run.spared:
        skipped[SPARED] += run.spared
    if run.masked:
        skipped[MASKED_TEXT] += run.masked
    return [case for case, reason in zip(run.cases, reasons, strict=True) if not reason], skipped


def paired_cases(run: OpenRun, first: str, second: str) -> list[RecordedCase]:
    """The answers of two variants to the same question, side by side.

    The key has both names in the order given; equal answers are not compared.
    """
    known = {case.case.variant.name for case in run.cases}
    for name in (first, second):
        if name not in known:
            raise UseError(f"{run.journal}: no variant {name!r}{nearest(name, known)}")
    names = item_names(run.cases)
    sides: dict[str, dict[str, RecordedCase]] = {first: {}, second: {}}
    for case in run.cases:
        if case.case.variant.name in sides:
            sides[case.case.variant.name][names[case.case.key]] = case
    both = [
        (sides[first][name], sides[second][name]) for name in sides[first] if name in sides[second]
    ]
    return [_pair(one, other) for one, other in both if one.answer.text != other.answer.text]


def _pair(one: RecordedCase, other: RecordedCase) -> RecordedCase:
    passages = dict.fromkeys((*(one.passages or ()), *(other.passages or ())))
    variant = f"{one.case.variant.name} | {other.case.variant.name}"
    case = one.case
    return RecordedCase(
        case=type(case)(
            key=f"{case.question.id}::{variant}::{case.key.rpartition('::')[2]}",
            question=case.question,
            variant=type(case.variant)(name=variant),
            fingerprint="",
        ),
        answer=one.answer,
        expected=one.expected or other.expected,
        passages=tuple(passages),
        other=other.answer.text,
    )


def judge_verdicts(run: OpenRun, name: str | None) -> JudgeVerdicts:
    """The stored verdicts of a judge; of the only one if no name is given."""
    found = read_verdicts(run.journal, run.cases)
    if not found:
        path = verdicts_path(run.journal)
        damaged = next(damaged_lines(path), "") if path.exists() else ""
        if damaged:
            raise UseError(f"{damaged}; no other verdict of the file can be read either")
        raise UseError(
            f"{run.journal}: no judge has judged this run; "
            f"assay judge {run.journal.stem} --judge NAME asks one"
        )
    if name is None:
        if len(found) > 1:
            raise UseError(f"several judges have judged this run: choose {' or '.join(found)}")
        (name,) = found
    if name not in found:
        raise UseError(
            f"{run.journal}: the judge {name!r} has not judged this run{nearest(name, found)}"
        )
    return found[name]


def judge_scores(verdicts: JudgeVerdicts) -> ScoreByName:
    """The score of each case by its key."""
    return {key: finding.score for key, finding in verdicts.findings.items()}


class ScoredBy(Struct, frozen=True, kw_only=True):
    """The scores of a judge, or of a value of the rows: then there is no identity.

    A value that says whether the answer is right has the rubric of correctness, others have none.
    ``unsure`` are the keys of the cases whose score only leans to its value. ``settled`` is the
    number of unsure answers that a judge has decided. ``notes`` is what a reader of the figures must
    know about the verdicts.
    """

    name: str
    scores: ScoreByName
    rubric: str = ""
    identity: str = ""
    unsure: frozenset[str] = frozenset()
    settled: int = 0
    notes: tuple[Message | str, ...] = ()


def scores_of(run: OpenRun, judge: str | None, metric: str | None) -> ScoredBy:
    """The scores of the judge, or the value ``metric`` of the rows.

    With both, the judge decides the answers that the value is unsure of. With neither, it is the
    only judge of the run, or the check of answers if no judge has judged it.
    """
    if metric is None and judge is None and not verdicts_path(run.journal).exists():
        try:
            checked = checked_by(run, CHECK)
        except UseError:
            return judged_by(run, judge)
        _refuse_if_partial(run, checked)
        return checked
    if metric is not None:
        checked = checked_by(run, metric)
        return checked if judge is None else _settled(checked, judge_verdicts(run, judge))
    return judged_by(run, judge)


def _refuse_if_partial(run: OpenRun, checked: ScoredBy) -> None:
    """Raise ``UseError`` if the job has a score of its own and the check is of some answers only."""
    headline = job_spec_of(run.summary).metric()
    with_check = sum(checked.scores.get(case.case.key) is not None for case in run.cases)
    if with_check < len(run.cases) and not headline.field.startswith(f"{SCORES}."):
        raise UseError(
            f"{run.journal}: {headline.name}, the metric of this run, is not one that labels correct; "
            f"{with_check} of {len(run.cases)} answers have {checked.name}: name it with "
            f"--metric {checked.name}, or a judge with --judge"
        )


def checked_by(run: OpenRun, metric: str) -> ScoredBy:
    """A value of the rows: a metric of the job by its name, or any path."""
    fields = {each.name: each.field for each in job_spec_of(run.summary).metrics}
    found = field_scores(run.journal, fields.get(metric, metric))
    return ScoredBy(
        name=metric,
        scores=found.scores,
        rubric=CORRECTNESS if metric.removeprefix("scores.") in SAYS_RIGHT else "",
        unsure=found.unsure,
    )


def _settled(checked: ScoredBy, verdicts: JudgeVerdicts) -> ScoredBy:
    """The check where it is sure, and the judge where it is not."""
    if checked.name.removeprefix("scores.") not in CHECKS.get(verdicts.rubric, ()):
        raise UseError(
            f"--judge {verdicts.name} cannot settle what --metric {checked.name} is unsure of: its "
            f"rubric, {verdicts.rubric}, asks something else"
        )
    decided = {key: score for key in checked.unsure if (score := verdicts.score(key)) is not None}
    return replace(
        checked,
        name=f"{checked.name}+judge.{verdicts.name}",
        scores={**checked.scores, **decided},
        unsure=checked.unsure - decided.keys(),
        settled=len(decided),
    )


def corrected_rates(run: OpenRun, metric: str) -> dict[str, Corrected]:
    """The rates of a value of the rows by variant, where labels of the workspace correct it."""
    checked = checked_by(run, metric)
    labels = labels_of(run, None, checked.rubric)
    sample = make_sample(run.journal, run.cases, checked.scores, labels, unsure=checked.unsure)
    rates = {name: corrected_mean(side) for name, side in sample.sides.items()}
    return {name: rate for name, rate in rates.items() if rate.estimate is not None}


class Settled(Struct, frozen=True, kw_only=True):
    """The rate of each variant by a check whose unsure answers a judge has decided."""

    metric: str
    rates: Mapping[str, float]


def settled_rates(run: OpenRun, judge: str) -> Settled | None:
    """The rates by the check of what a judge is asked, settled by that judge.

    ``None`` if no check says what the judge says.
    """
    verdicts = judge_verdicts(run, judge)
    if verdicts.rubric not in CHECKS:
        return None
    metric = CHECKS[verdicts.rubric][0]
    scores = _settled(checked_by(run, metric), verdicts).scores
    values: dict[str, list[float]] = {}
    for case in run.cases:
        score = scores.get(case.case.key)
        if score is not None:
            values.setdefault(case.case.variant.name, []).append(score)
    rates = {variant: sum(each) / len(each) for variant, each in values.items()}
    return Settled(metric=metric, rates=rates)


def judged_by(run: OpenRun, judge: str | None) -> ScoredBy:
    """The verdicts of a judge; of the only one if no name is given."""
    verdicts = judge_verdicts(run, judge)
    return ScoredBy(
        name=f"{JUDGE_PREFIX}{verdicts.name}",
        scores=judge_scores(verdicts),
        rubric=verdicts.rubric,
        identity=verdicts.identity,
        notes=tuple(verdict_notes(verdicts, len(run.cases))),
    )


def labels_of(run: OpenRun, path: Path | None, rubric: str = "") -> list[Label]:
    """The labels of a file, by default those of the workspace.

    The latter say whether answers are right, so they are about correctness only: for a judge with
    another ``rubric`` there are none.
    """
    if path is not None and not path.is_file():
        raise UseError(f"{path}: no such file of labels")
    if path is None and rubric != CORRECTNESS:
        return []
    if path is not None:
        return read_label_file(path)
    return read_labels(labels_path(run.journal))


def check_judge(
    run: OpenRun,
    judge: ScoredBy,
    labels: Sequence[Label],
    *,
    threshold: float = 0.5,
    drawn_at_random: bool = False,
) -> Calibration:
    """Hold a judge, or a value of the rows, against labels."""
    sample = make_sample(
        run.journal,
        run.cases,
        judge.scores,
        labels,
        unsure=judge.unsure,
        drawn_at_random=drawn_at_random,
    )
    identity = judge.identity
    return calibrate(
        judge.name,
        sample,
        threshold=threshold,
        baseline=run.baseline,
        elsewhere=_errors_elsewhere(run, labels, identity, threshold) if identity else None,
        stops_early=run.stops_early,
    )


def _errors_elsewhere(
    run: OpenRun, labels: Sequence[Label], identity: str, threshold: float
) -> ErrorCounts | None:
    """The errors of the same judge on labelled answers of other runs of the workspace."""
    names = dict.fromkeys(label.run.rpartition("/")[2] for label in labels)
    total = ErrorCounts(yes=0, yes_found=0, no=0, no_found=0)
    for name in names:
        journal = run.journal.with_name(f"{name}.jsonl")
        if not name or journal == run.journal or not journal.is_file():
            continue
        other = open_run(run.workspace, str(journal))
        found = read_verdicts(journal, other.cases)
        same = next((each for each in found.values() if each.identity == identity), None)
        if same is not None:
            counts = error_counts(_sample(other, judge_scores(same), labels).joined(), threshold)
            total = ErrorCounts(
                yes=total.yes + counts.yes,
                yes_found=total.yes_found + counts.yes_found,
                no=total.no + counts.no,
                no_found=total.no_found + counts.no_found,
            )
    return total if total.yes and total.no else None


def _sample(run: OpenRun, scores: ScoreByName, labels: Sequence[Label]) -> Sample:
    return make_sample(run.journal, run.cases, scores, labels)
