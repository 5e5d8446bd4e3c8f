"""The score with which a question passes.

It is set by the question, else by its file, else by ``overall_pass_threshold`` of the benchmark.
Benchmarks name it in several ways: ``min_score``, ``passing_threshold``, or ``passing_score``,
which is a number or an object with a number for each difficulty or type.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from assay.data.foreign_value import as_number
from assay.data.legal.file import Benchmark
from assay.data.legal.question import BenchQuestion

_NAMES: Final = (
    "min_score", "passing_threshold", "passing_score", "threshold", "overall", "default", "minimum",
    "min", "score", "value",
)  # fmt: skip
"""The keys of a ``passing_score`` object that hold the threshold for all questions."""
_PERCENT: Final = 100


def passing_score(question: BenchQuestion, benchmark: Benchmark) -> float | None:
    """The score with which the question passes; ``None`` if nothing says when it does.

    >>> from assay.data.legal.file import EvaluationCriteria, GapBenchmark
    >>> from assay.data.legal.question import GapQuestion
    >>> question = GapQuestion(id="q", question="?", should_abstain=True)
    >>> criteria = EvaluationCriteria(passing_threshold=70)
    >>> passing_score(question, GapBenchmark(questions=(question,), evaluation_criteria=criteria))
    0.7
    """
    groups = (question.metadata.difficulty or "", question.type)
    for level in (question, question.scoring, benchmark.evaluation_criteria):
        for stated in (level.min_score, level.passing_threshold, level.passing_score):
            threshold = _threshold(stated, groups)
            if threshold is not None:
                return threshold
    return _threshold(benchmark.scoring_config.overall_pass_threshold, groups)


def unread_thresholds(benchmark: Benchmark) -> Iterator[str]:
    """The names of the thresholds of a file that set nothing, because they cannot be understood."""
    criteria, config = benchmark.evaluation_criteria, benchmark.scoring_config
    stated = {
        "evaluation_criteria.passing_threshold": criteria.passing_threshold,
        "evaluation_criteria.passing_score": criteria.passing_score,
        "scoring_config.overall_pass_threshold": config.overall_pass_threshold,
    }
    groups = [(q.metadata.difficulty or "", q.type) for q in benchmark.questions]
    for name, value in stated.items():
        if value is not None and all(_threshold(value, names) is None for names in groups):
            yield name


def _threshold(stated: Any, groups: Sequence[str]) -> float | None:
    """A threshold between 0 and 1; a number above 1 is a percentage."""
    if isinstance(stated, Mapping):
        names = [name for name in (*groups, *_NAMES) if name in stated]
        values = (_threshold(stated[name], groups) for name in names)
        return next((value for value in values if value is not None), None)
    number = as_number(stated)
    if number is None or number < 0:
        return None
    if number <= 1:
        return number
    return number / _PERCENT if number <= _PERCENT else None
