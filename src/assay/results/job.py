"""What commands that read results know about a job: its metrics, and how it scores a row.

``assay report``, ``list``, ``score`` and ``compare`` work on the results of every job; a
``JobSpec`` is all they need. Assay's own jobs are in the table below, and another package adds
its job by an entry point of the group ``assay.jobs`` that names a ``JobSpec``.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from assay.checks.known_name import metric_of_name, unknown_metric
from assay.checks.own_scorer import OwnScorer, declarations
from assay.checks.registered import SCORERS, SCORES, registered_scorers
from assay.checks.scorer import Scorer
from assay.errors import UseError
from assay.records import Metric, Question, RunHeader, Score
from assay.registry import JOB_SPECS, Registry, load_part, warn
from assay.runs.row import Row
from assay.runs.summary import Summary

if TYPE_CHECKING:
    from assay.report.table.table import Table
    from assay.results.results import Results
    from assay.words.language import Lang

Rescore = Callable[[Mapping[str, Any]], Mapping[str, Score]]
"""Computes the scores that a recorded row would have today."""
QuestionFile = Callable[[Path, Summary], tuple[Sequence[str], str]]
"""Reads the ids of the questions in a file, and its hash as in ``RunHeader.questions_sha256``."""


class JobReport(Protocol):
    """What a job shows beyond the means of its metrics, for example a confusion matrix.

    It may also have ``notes(lang)``: a list of sentences about what the numbers do not cover.
    """

    def fields(self, variant: str) -> Mapping[str, Any]:
        """More fields for a variant in the summary, with their own ``n`` and ``intervals``."""

    def tables(self, lang: "Lang") -> list["Table"]:
        """More tables; the first has one row per variant and is shown beside the quality table."""

    def charts(self, folder: Path, suffix: str, lang: "Lang") -> list[Path]:
        """Draw more charts into ``folder``; returns their paths."""


class JobSpec(Struct, frozen=True, kw_only=True):
    """One job: its metrics, how a recorded row is scored again, and its command.

    - ``headline``: the metric that is shown if there is room for only one.
    - ``fallback``: the metric that decides instead of the primary one if a variant has no value of
      that, for example because its system does not say what it retrieved.
    - ``report``: creates what the job shows besides its metrics. A path
      (``package.module:name``) is imported when a report is made.
    - ``row``: the fields of a row, among them ``key`` and ``schema_version``, that ``report`` and
      the job's own files need besides the metrics. ``Results.job_rows`` has the last row of each
      key.
    - ``label``: gives the placements whose rows a summary covers, and ``questions`` reads the ids
      and the hash of a file of questions. Both say which rows belong to a run whose plan was not
      stored, by the first version of assay (``assay.results.run_cases``).
    - ``corrected_gold``: what scores recorded rows by a corrected file of questions: ``"score"`` if
      ``assay score --questions`` reads the job's files, ``"run"`` if running the job again judges
      the recorded answers, and ``"ask"`` if running it again asks what changed.
    - ``variant_metrics``: metrics of a variant that are not means over its cases. The tables of
      ``report`` show them.
    - ``overview``: metrics of different families that the first table of a report shows together,
      under their names.
    - ``command``: the command ``assay NAME`` of a job of another package: a function that Typer
      accepts, usually made with ``assay.cli.run_command``, or its path. ``help`` is its line in
      ``assay --help``.
    """

    name: str
    metrics: tuple[Metric, ...]
    headline: str
    rescore: Rescore
    report: "str | Callable[[Results], JobReport] | None" = None
    row: type[Struct] | None = None
    label: Callable[[Summary], str | tuple[str, ...] | None] | None = None
    questions: QuestionFile | None = None
    corrected_gold: Literal["score", "run", "ask"] = "ask"
    variant_metrics: tuple[Metric, ...] = ()
    overview: tuple[str, ...] = ()
    fallback: str = ""
    command: str | Callable[..., Any] | None = None
    help: str = ""

    def metric(self, name: str | None = None) -> Metric:
        """The metric with this name or title, however its words are joined; by default the headline."""
        chosen = name or self.headline
        found = self.find_metric(chosen)
        if found is None:
            names = [metric.name for metric in self.metrics]
            raise UseError(f"there is no metric {chosen!r}{unknown_metric(chosen, names)}")
        return found

    def find_metric(self, chosen: str) -> Metric | None:
        """The metric with this name, or else with this title in any language or name in other tools."""
        by_name = {metric.name: metric for metric in self.metrics}
        titled = by_name.get(chosen) or next(
            (
                metric
                for metric in self.metrics
                if _joined(chosen) in map(_joined, (metric.title, metric.title_zh, metric.title_ru))
            ),
            None,
        )
        return titled or by_name.get(metric_of_name(chosen, by_name) or "")

    def job_report(self, results: "Results") -> JobReport | None:
        """What the job shows of these results besides its metrics; ``None`` if nothing."""
        make = self.report
        if isinstance(make, str):
            make = load_part(make, f"the report of the job {self.name!r}")
        return make(results) if make is not None else None


def question_file(read: Callable[[Path], Iterable[Question]]) -> QuestionFile:
    """What ``JobSpec.questions`` is for a job whose file of questions ``read`` reads."""

    def read_ids(path: Path, _: Summary) -> tuple[Sequence[str], str]:
        ids = [question.id for question in read(path)]
        return ids, hashlib.sha256(path.read_bytes()).hexdigest()

    return read_ids


def _joined(title: str) -> str:
    """A title as names are written.

    >>> _joined("Answer right")
    'answer_right'
    """
    return "_".join(title.casefold().replace("_", " ").split())


def _check(name: str, target: Any) -> str:
    """What is wrong with the spec of another package; empty if nothing is."""
    if not isinstance(target, JobSpec):
        return f"it is a {type(target).__name__}, not an assay.results.job.JobSpec"
    if target.name != name:
        return f"the job's own name is {target.name!r}; both names must be equal"
    if target.headline not in [metric.name for metric in target.metrics]:
        return f"its headline {target.headline!r} is not one of its metrics"
    if target.command is not None and not target.help:
        return "it has a command and no help, the line that assay --help shows"
    return ""


JOBS: Final = Registry[JobSpec](
    "assay.jobs",
    "job",
    JOB_SPECS,
    check=_check,
)
"""All jobs by name. A command imports only the job that it uses."""


def job_spec(name: str, extra: Mapping[str, Any] | None = None) -> JobSpec:
    """The job of this name, with the metrics of registered scorers after its own.

    ``extra`` has the facts of a header: the scorers of users that it declares are the last.
    """
    spec = JOBS.get(name)
    spec = replace(spec, metrics=(*spec.metrics, *_added_metrics(spec)))
    declared = [each.metric for each in declarations(extra or {}).values()]
    known = [each for each in declared if not _own_clash(spec, each.name)]
    return replace(spec, metrics=(*spec.metrics, *known)) if known else spec


def refuse_clash(job: str, scorers: Iterable[OwnScorer]) -> None:
    """Refuse a scorer of a user whose name means something else in the rows and tables of the job.

    Raises:
        UseError: A metric, a registered scorer or a field of a row has the name.
    """
    spec = job_spec(job)
    for scorer in scorers:
        if what := _own_clash(spec, scorer.name):
            raise UseError(
                f"the scorer {scorer.name!r} has the name of {what}; give the function another name"
            )


def _own_clash(spec: JobSpec, name: str) -> str:
    if name in SCORERS.names():
        return "a registered scorer"
    if scorer_clash(spec, name):
        return f"a metric of the job {spec.name!r}"
    if name in {*Row.__struct_fields__, *(spec.row.__struct_fields__ if spec.row else ())}:
        return "a field of the rows"
    return ""


def job_spec_of(summary: Summary | None) -> JobSpec:
    """The job that wrote a summary; rows without a summary are taken for those of an ablation."""
    name = summary.job if summary is not None else "ablation"
    if name not in JOBS.names():
        raise UseError(
            f"results of a job {name!r} are not known here; install the package that adds it"
        )
    spec = job_spec(name, None if summary is None else summary.extra)
    return _with_titles(spec, None if summary is None else common_top_k(summary))


def common_top_k(header: RunHeader) -> int | None:
    """The ``top_k`` of a run; ``None`` if it is not known or differs between the variants."""
    chosen = [variant.settings.get("top_k") for variant in header.variants]
    values = {value if value and isinstance(value, int) else header.top_k for value in chosen}
    return values.pop() if len(values) == 1 else None


def _with_titles(spec: JobSpec, top_k: int | None) -> JobSpec:
    """The spec with the run's ``top_k`` in the titles of metrics that depend on it."""
    k = "k" if top_k is None else str(top_k)
    names = ("title", "title_zh", "title_ru")
    metrics = tuple(
        replace(metric, **{name: getattr(metric, name).replace("{k}", k) for name in names})
        if "{k}" in metric.title
        else metric
        for metric in spec.metrics
    )
    return replace(spec, metrics=metrics)


def _added_metrics(spec: JobSpec) -> Iterator[Scorer]:
    """The registered scorers of a job whose names mean nothing else in its rows and tables."""
    for scorer in registered_scorers(spec.name):
        problem = scorer_clash(spec, scorer.name)
        if problem:
            warn(problem)
        else:
            yield scorer


def scorer_clash(spec: JobSpec, scorer: str) -> str:
    """Why a job does not use the registered scorer of this name; empty if it does."""
    taken = {metric.name for metric in (*spec.metrics, *spec.variant_metrics)}
    taken |= {
        metric.field.removeprefix(f"{SCORES}.")
        for metric in spec.metrics
        if metric.field.startswith(f"{SCORES}.")
    }
    if scorer not in taken:
        return ""
    package = SCORERS.package_of(scorer) or "assay"
    return (
        f"the scorer {scorer!r} of the package {package!r} is not used: the job {spec.name!r} "
        "has a score of its own with this name"
    )
