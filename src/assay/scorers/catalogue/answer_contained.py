"""Whether the answer contains an accepted answer."""

from typing import Final

from assay.scorers.correctness import EXPECTED, correctness_of
from assay.scorers.scorer import Scorer, Subject


def answer_contained(subject: Subject) -> bool | None:
    """Whether the answer contains an accepted answer.

    ``None`` if the question has no expected answer.

    >>> subject = Subject(
    ...     job="ablation",
    ...     question_id="1",
    ...     question="How long?",
    ...     answer="It is thirty days [1].",
    ...     row={"expected_answer": ["30 days"]},
    ... )
    >>> answer_contained(subject)
    True
    """
    found = correctness_of(subject)
    return None if found is None else found.contained


SCORER: Final = Scorer(
    name="answer_contained",
    function=answer_contained,
    title="Answer contained",
    title_zh="包含答案",
    title_ru="ответ содержится",
    kind="rate",
    better="higher",
    formula="1 if the answer says an accepted answer, in any notation, that it neither denies nor leaves open, otherwise 0",
    undefined="the question has no expected answer",
    needs=(EXPECTED,),
)
