"""``compare``: whether a candidate is as good as a base; the result decides the exit code of the command."""

from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from msgspec.structs import replace

from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.gate.aggregate import (
    AggregateComparison,
    aggregate_headline,
    aggregate_json,
    aggregate_markdown,
    aggregate_suites,
    aggregate_text,
    compare_aggregates,
    refuse_max_std,
)
from assay.gate.compared_run import ComparedRun
from assay.gate.correction import correct
from assay.gate.direction import Better
from assay.gate.gate import Comparison as GateComparison
from assay.gate.gate import Limits, with_correction, with_texts
from assay.gate.gate import compare as compare_runs
from assay.gate.margin import refuse_together
from assay.gate.report import as_json, as_markdown, suites
from assay.gate.report_wording import as_text, headline, warning_lines
from assay.gate.run_file import (
    read_aggregates,
    read_judged_runs,
    read_labelled_runs,
    read_rescore,
    read_runs,
)
from assay.judge.calibration import JUDGE_PREFIX
from assay.library.case_list import CaseList
from assay.library.notebook import comparison_html
from assay.library.result import Run, StrPath
from assay.records import Estimand
from assay.registry import lazy_function
from assay.results.find_results import find_results
from assay.runs.summary import now
from assay.words.language import language
from assay.words.message import text_of

_as_junit = lazy_function("assay.report.junit:as_junit")  # only one format needs it
_CHANGED: Final = (
    "question_id", "change", "base", "candidate", "gain", "unsure", "question", "answer_base",
    "answer_candidate",
)  # fmt: skip
Compared: TypeAlias = Run | StrPath


class Comparison:
    """A base and a candidate, compared question by question.

    ``result`` has everything that the comparison found. Files that have figures only, such as a summary
    of several runs, have no questions: ``difference``, ``interval`` and ``p`` are ``None`` then.
    """

    def __init__(self, result: GateComparison | AggregateComparison) -> None:
        self.result = result

    @property
    def passed(self) -> bool:
        """Whether the candidate is as good or better, as far as the limits want to know it."""
        return self.result.passed

    @property
    def exit_code(self) -> Literal[0, 1]:
        """That of ``assay compare``: 0 if the candidate passed, 1 if not."""
        return 0 if self.passed else 1

    @property
    def sentence(self) -> str:
        """The verdict on one line, with the reason, in the language in use."""
        if isinstance(self.result, GateComparison):
            return headline(self.result)
        return aggregate_headline(self.result)

    @property
    def warnings(self) -> list[str]:
        """What must be known before the verdict is trusted."""
        return warning_lines(self.result) if isinstance(self.result, GateComparison) else []

    @property
    def notes(self) -> list[str]:
        """What else must be known about the two runs."""
        return [text_of(note, language()) for note in self.result.notes]

    @property
    def metric(self) -> str | None:
        """The name of the metric that is compared."""
        return self.result.metric.name if isinstance(self.result, GateComparison) else None

    @property
    def base(self) -> float | None:
        """The value of the base."""
        return self.result.base_value if isinstance(self.result, GateComparison) else None

    @property
    def candidate(self) -> float | None:
        """The value of the candidate, over the same questions."""
        return self.result.cand_value if isinstance(self.result, GateComparison) else None

    @property
    def difference(self) -> float | None:
        """The value of the candidate minus that of the base; corrected by labels, if there are any."""
        return self.result.delta if isinstance(self.result, GateComparison) else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the difference; ``None`` if it is not known."""
        if not isinstance(self.result, GateComparison):
            return None
        correction = self.result.correction
        found = self.result.effect.interval
        if correction is not None and correction.used == "corrected" and correction.difference:
            found = correction.difference.interval
        return None if found is None else (found.low, found.high)

    @property
    def p(self) -> float | None:
        """The p-value of the paired test; ``None`` if nothing was tested."""
        return self.result.effect.p_value if isinstance(self.result, GateComparison) else None

    @property
    def changed(self) -> CaseList:
        """The questions that became worse, have no value any more, or became better; the worst first."""
        if not isinstance(self.result, GateComparison):
            return CaseList((), _CHANGED)
        items = with_texts(self.result).items_with("worse", "missing", "better")
        cells = (
            (
                item.id, item.standing, item.before, item.after, item.gain, item.unsure, item.question,
                item.answer_before, item.answer_after,
            )
            for item in items
        )  # fmt: skip
        return CaseList((dict(zip(_CHANGED, each, strict=True)) for each in cells), _CHANGED)

    def to_text(self, *, most: int = 20) -> str:
        """The comparison as ``assay compare`` prints it; ``most`` questions are listed, 0 for all."""
        if isinstance(self.result, GateComparison):
            return as_text(with_texts(self.result, most), most=most)
        return aggregate_text(self.result)

    def to_markdown(self, *, most: int = 20) -> str:
        """The comparison for a comment on a pull request."""
        if isinstance(self.result, GateComparison):
            return as_markdown(with_texts(self.result, most), most=most)
        return aggregate_markdown(self.result)

    def to_json(self) -> str:
        """The comparison for other programs."""
        if isinstance(self.result, GateComparison):
            return as_json(with_texts(self.result))
        return aggregate_json(self.result)

    def to_junit(self) -> str:
        """The comparison as JUnit XML, a test for each question, for CI servers."""
        if isinstance(self.result, GateComparison):
            return str(_as_junit(suites(with_texts(self.result)), timestamp=now()))
        return str(_as_junit(aggregate_suites(self.result), timestamp=now()))

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return comparison_html(self)


def compare(
    base: Compared,
    candidate: Compared,
    *,
    metric: str | None = None,
    variant: str | None = None,
    base_variant: str | None = None,
    better: Better | None = None,
    margin: float | None = None,
    equivalent: float | None = None,
    min_delta: float | None = None,
    max_regressions: int | None = None,
    max_failed: int = 0,
    epsilon: float = 1e-9,
    allow_missing: bool = False,
    allow_mismatch: bool = False,
    require_significant: bool = False,
    pass_if_unclear: bool = False,
    max_std: float | None = None,
    rescore: bool = False,
    questions: StrPath | None = None,
    labels: StrPath | None = None,
    documents: Estimand | None = None,
) -> Comparison:
    """Compare two runs, question by question.

    Each is a ``Run``, the name of one, or a file of results. With ``margin``, such as 0.03, the
    candidate passes if a larger loss is ruled out; with ``equivalent``, if a larger difference is.
    Everything else is an option of ``assay compare`` by its name.

    Raises:
        UseError: they cannot be compared; this says nothing about quality.
    """
    limits = Limits(
        min_delta=min_delta or 0.0,
        max_regressions=max_regressions,
        margin=margin,
        equivalent=equivalent,
        pass_if_unclear=pass_if_unclear,
        max_failed=max_failed,
        epsilon=epsilon,
        allow_missing=allow_missing,
        require_significant=require_significant,
        strict_hashes=not allow_mismatch,
    )
    paths = results_path(base), results_path(candidate)
    asked = limits.asked
    size = asked.size if asked is not None else None
    if asked is not None and min_delta is not None:
        refuse_together(asked.option, "--min-delta")
    if questions is not None and not rescore:
        raise UseError("--questions says how answers are scored again: add --rescore")
    label_file = None if labels is None else Path(labels)
    choice: dict[str, Any] = {
        "metric": metric,
        "variant": variant,
        "base_variant": base_variant,
    }
    if metric is not None and metric.startswith(JUDGE_PREFIX):
        sides = read_judged_runs(
            *paths, metric=metric, variant=variant, base_variant=base_variant, labels=label_file
        )
        found = compare_runs(*_about(documents, sides[0].run, sides[1].run), limits)
        return Comparison(with_correction(found, correct(*sides, margin=size)))
    aggregates = read_aggregates(*paths, **choice, better=better)
    if aggregates is not None:
        _refuse_for_figures(labels, "--labels corrects figures of answers")
        _refuse_for_figures(documents, "--documents is for answers")
        return Comparison(compare_aggregates(*aggregates, limits, max_std=max_std))
    refuse_max_std(max_std, paths[0])
    again = read_rescore(None if questions is None else Path(questions)) if rescore else None
    read = read_runs(*paths, **choice, rescore=again, better=better)
    found = compare_runs(*_about(documents, *read), limits)
    labelled = read_labelled_runs(paths, read, label_file)
    if labelled is not None:
        found = with_correction(found, correct(*labelled, margin=size))
    return Comparison(found)


def results_path(compared: Compared) -> Path:
    """The file of results; a bare word is the name of a run, as for a report, or else a file."""
    if isinstance(compared, Run):
        return compared.path
    path = Path(compared)
    if path.suffix in {".json", ".jsonl"} or path.name != str(path):
        return path
    return find_results(Workspace.find(None), str(path))


def _refuse_for_figures(value: Any, what: str) -> None:
    if value is not None:
        raise UseError(f"{what}, and these files have figures only")


def _about(
    documents: Estimand | None, base: ComparedRun, cand: ComparedRun
) -> tuple[ComparedRun, ComparedRun]:
    """Both runs with what the caller says that they are about, if that is said."""
    if documents is None:
        return base, cand
    return replace(base, estimand=documents), replace(cand, estimand=documents)
