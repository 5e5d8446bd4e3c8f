"""How many tokens the answer shares with the accepted answer that is most like it."""

from typing import Final

from assay.checks.correctness import EXPECTED, overlap
from assay.checks.scorer import Scorer, Subject


def answer_f1(subject: Subject) -> float | None:
    """How many tokens the answer shares with the accepted answer that is most like it.

    ``None`` if the question has no expected answer.

    >>> subject = Subject(
    ...     job="ablation",
    ...     question_id="1",
    ...     question="How long?",
    ...     answer="Thirty days, or more",
    ...     row={"expected_answer": ["Thirty days"]},
    ... )
    >>> answer_f1(subject)
    0.6666666666666666
    """
    found = overlap(subject)
    return None if found is None else found.f1


SCORER: Final = Scorer(
    name="answer_f1",
    function=answer_f1,
    title="Answer F1",
    title_zh="答案F1",
    title_ru="F1 ответа",
    kind="mean",
    better="higher",
    formula="1 if the answer matches exactly, otherwise 2 · shared tokens / (tokens of the answer + tokens of the accepted answer), for the best accepted answer; Chinese by characters, Russian by stems",
    undefined="the question has no expected answer",
    by_check=True,
    needs=(EXPECTED,),
)
