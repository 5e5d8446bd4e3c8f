"""Judges that ask a chat model about an answer, each by a rubric."""

from assay.judges.rubric.judge import Finding, PairJudge, RubricJudge
from assay.judges.rubric.own import own_rubric
from assay.judges.rubric.prompt import Subject, request_text
from assay.judges.rubric.rubric import PREFERENCE, RUBRICS, Rubric, reads_of, rubric_named

__all__ = [
    "PREFERENCE",
    "RUBRICS",
    "Finding",
    "PairJudge",
    "Rubric",
    "RubricJudge",
    "Subject",
    "own_rubric",
    "reads_of",
    "request_text",
    "rubric_named",
]
