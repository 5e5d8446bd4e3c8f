"""What the analysis of a run found, and which metrics its tables show."""

from collections.abc import Mapping

from msgspec import Struct

from assay.jobs.results import Results
from assay.jobs.spec import JobReport, JobSpec
from assay.records import Metric
from assay.scorers.scorer import Scorer
from assay.stats import Analysis, Decisions, Effect


class RunFindings(Struct, frozen=True, kw_only=True):
    """The analysis of one run.

    - ``ordered``: the values of a variable that has an order, by variant;
    - ``lost_primary``: the primary metric of the run if it is not known here, otherwise empty;
    - ``replaced_primary``: the same if a variant has no value of it, so that another one decides;
    - ``combined``: the main effects and interactions of a factorial design;
    - ``unlabelled``: the number of items that were scored but have no headline value in any
      variant, because there is no gold to compare with;
    - ``expected_none``: the number of items whose expected answer says that there is none;
    - ``unknown_passages``: the number of answers that do not say what was retrieved, and
      ``unranked`` of those that do not say in which order of relevance;
    - ``misranked``: the number of answers with ranks for only some passages, or a rank twice;
    - ``overlong``: the number of answers with more passages than were asked for;
    - ``reordered``: the variants that differ from the baseline only in the order of the passages;
      they are not compared on metrics that use ranks;
    - ``job_report``: what the job shows besides its metrics;
    - ``stops_early``: whether the answers decided which questions were asked; nothing has a test
      then. ``decisions`` are the comparisons of a run that asks until they are decided; there are
      none if an earlier run did and its spared cases have no answer yet.
    """

    results: Results
    job: JobSpec
    analysis: Analysis
    baseline: str
    ordered: Mapping[str, float]
    variables: tuple[str, ...]
    combined: tuple[Effect, ...]
    lost_primary: str
    items: int
    unlabelled: int
    unanswerable: int
    replaced_primary: str = ""
    expected_none: int = 0
    unknown_passages: int = 0
    unranked: int = 0
    misranked: int = 0
    overlong: int = 0
    reordered: tuple[str, ...] = ()
    job_report: JobReport | None = None
    stops_early: bool = False
    decisions: Decisions | None = None

    @property
    def spared(self) -> int:
        """The number of cases that an early decision made unnecessary."""
        return sum(variant.tally.spared or 0 for variant in self.analysis.variants)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that have a value for at least one variant, in the order of the tables.

        The metric that decides leads with those of its kind, if it is not the job's own.
        """
        shown = {
            metric.name: metric
            for metric in self.job.metrics
            if any(
                variant.cells[metric.name].value is not None for variant in self.analysis.variants
            )
        }
        first = [name for name in self.leading if name in shown]
        alike = [name for name in shown if first and _is_alike(shown[first[0]], shown[name])]
        order = dict.fromkeys((*first, *alike, *shown))
        return tuple(shown[name] for name in order)

    @property
    def leading(self) -> tuple[str, ...]:
        """The name of the metric that decides, if it is not the main one of the job."""
        primary = self.analysis.primary
        return (primary,) if primary and primary != self.job.headline else ()


def _is_alike(one: Metric, other: Metric) -> bool:
    """Whether both are scorers that need the same fields, for example an expected answer."""
    return isinstance(one, Scorer) and isinstance(other, Scorer) and one.needs == other.needs


def has_gold(findings: RunFindings) -> bool:
    """Whether a question has gold, as far as the header says it."""
    return known_without_gold(findings) < max(findings.results.questions, 1)


def known_without_gold(findings: RunFindings) -> int:
    """The questions without gold by the header: rows do not say it if nothing says what was found."""
    summary = findings.results.summary
    return int(summary.extra.get("questions_without_gold", 0)) if summary is not None else 0
