"""The metric that decides an ablation if nobody names one."""

from collections.abc import Sequence

from assay.data.question import CorpusQuestion
from assay.errors import UseError
from assay.jobs.ablation.handler import JOB
from assay.jobs.spec import job_spec
from assay.records import Metric

GOLD_FIELDS = "scores.gold_"


def main_metric(questions: Sequence[CorpusQuestion]) -> str:
    """The name of the main metric, if the questions define it.

    Questions without gold have no recall; then whether the answer says an expected one decides, if
    there is one. Shared words do not: a short wrong answer shares more of them than a long right one.
    """
    if any(question.gold or question.spans for question in questions):
        return job_spec(JOB).headline
    has_answers = any(question.answers for question in questions)
    return "answer_contained" if has_answers else "cite_ok_rate"


def refuse_undecidable(metric: Metric, questions: Sequence[CorpusQuestion]) -> None:
    """Refuse to stop by a metric that no question defines: nothing could ever be decided.

    Raises:
        UseError: The metric needs gold or an expected answer, and no question has it.
    """
    missing = ""
    if metric.field.startswith(GOLD_FIELDS) and not any(q.gold or q.spans for q in questions):
        missing = "gold"
    if "expected_answer" in getattr(metric, "needs", ()) and not any(q.answers for q in questions):
        missing = "an expected answer"
    if missing:
        raise UseError(
            f"--stop-early: no question has {missing}, so {metric.name} is undefined and nothing "
            f"can be decided; name another metric, for example --primary {main_metric(questions)}"
        )
