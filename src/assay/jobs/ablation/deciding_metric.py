"""The metric that decides a run without an experiment file, and the questions that it is about."""

from collections.abc import Sequence

from assay.config import nearest
from assay.data.question import CorpusQuestion
from assay.errors import UseError
from assay.jobs.ablation.handler import JOB
from assay.jobs.ablation.primary import main_metric
from assay.jobs.spec import job_spec
from assay.records import Metric
from assay.scorers.correctness import EXPECTED
from assay.scorers.scorer import Scorer


def plain_primary(
    chosen: str | None, questions: Sequence[CorpusQuestion], option: str = "--primary"
) -> Metric:
    """The metric that decides: the named one, or the main metric, if the questions define it.

    Questions without gold have no recall; then an expected answer decides, if there is one.
    ``option`` is the option that named it.
    """
    spec = job_spec(JOB)
    chosen = chosen or main_metric(questions)
    metric = next((metric for metric in spec.metrics if metric.name == chosen), None)
    if metric is None or metric.is_percentile:
        names = [metric.name for metric in spec.metrics if not metric.is_percentile]
        raise UseError(f"{option} {chosen}: no such mean or rate{nearest(chosen, names)}")
    return metric


def has_value(metric: Metric, question: CorpusQuestion) -> bool:
    """Whether a metric can have a value for an answer to the question."""
    if isinstance(metric, Scorer) and EXPECTED in metric.needs:
        return bool(question.answers)
    name = metric.field.removeprefix("scores.")
    if name.startswith("gold_"):
        return bool(question.gold or question.spans)
    if name == "abstained_when_unanswerable":
        return question.answerable is False
    return name != "answered_when_answerable" or question.answerable is True
