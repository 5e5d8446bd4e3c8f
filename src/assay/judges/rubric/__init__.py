"""Judges that ask a chat model about an answer, each by a rubric."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.judges.rubric.finding import DamagedFinding, Finding, read_finding
    from assay.judges.rubric.judge import PairJudge, RubricJudge
    from assay.judges.rubric.own import own_rubric
    from assay.judges.rubric.prompt import Subject, request_text
    from assay.judges.rubric.rubric import PREFERENCE, RUBRICS, Rubric, reads_of, rubric_named
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "DamagedFinding": "finding",
            "Finding": "finding",
            "PREFERENCE": "rubric",
            "PairJudge": "judge",
            "RUBRICS": "rubric",
            "Rubric": "rubric",
            "RubricJudge": "judge",
            "Subject": "prompt",
            "own_rubric": "own",
            "read_finding": "finding",
            "reads_of": "rubric",
            "request_text": "prompt",
            "rubric_named": "rubric",
        },
    )

__all__ = [
    "PREFERENCE",
    "RUBRICS",
    "DamagedFinding",
    "Finding",
    "PairJudge",
    "Rubric",
    "RubricJudge",
    "Subject",
    "own_rubric",
    "read_finding",
    "reads_of",
    "request_text",
    "rubric_named",
]
