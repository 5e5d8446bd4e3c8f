"""Whether the answer gives an accepted answer."""

from typing import Final

from assay.checks.correctness import EXPECTED, checked
from assay.checks.scorer import Graded, Scorer, Subject


def answer_contained(subject: Subject) -> Graded | None:
    """Whether the answer gives an accepted answer; an unsure one counts as it leans.

    ``None`` if the question has no expected answer.

    >>> subject = Subject(
    ...     job="ablation",
    ...     question_id="1",
    ...     question="How long?",
    ...     answer="It is thirty days [1].",
    ...     row={"expected_answer": ["30 days"]},
    ... )
    >>> answer_contained(subject).value
    True
    """
    check = checked(subject)
    return None if check is None else Graded.of_check(check.outcome, check.leans_right, check.why)


SCORER: Final = Scorer(
    name="answer_contained",
    function=answer_contained,
    title="Answer right",
    title_zh="答案正确",
    title_ru="ответ верен",
    kind="rate",
    better="higher",
    formula="1 if the answer gives an accepted answer, otherwise 0; an unsure answer counts as it leans",
    undefined="the question has no expected answer",
    by_check=True,
    needs=(EXPECTED,),
)
