"""Whether the answer is an accepted answer, word by word."""

from typing import Final

from assay.checks.correctness import EXPECTED, overlap
from assay.checks.scorer import Scorer, Subject


def answer_exact(subject: Subject) -> bool | None:
    """Whether the answer is an accepted answer, word by word.

    ``None`` if the question has no expected answer.

    >>> subject = Subject(
    ...     job="ablation",
    ...     question_id="1",
    ...     question="How long?",
    ...     answer="thirty days.",
    ...     row={"expected_answer": ["Thirty days"]},
    ... )
    >>> answer_exact(subject)
    True
    """
    found = overlap(subject)
    return None if found is None else found.exact


SCORER: Final = Scorer(
    name="answer_exact",
    function=answer_exact,
    title="Answer exact match",
    title_zh="答案完全匹配",
    title_ru="точное совпадение ответа",
    kind="rate",
    better="higher",
    formula="1 if the answer has the same tokens in the same order as an accepted answer, otherwise 0; numbers and dates as values, Russian by stems",
    undefined="the question has no expected answer",
    by_check=True,
    needs=(EXPECTED,),
)
