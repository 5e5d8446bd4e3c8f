"""Whether the answer abstains although an answer is expected."""

from typing import Final

from assay.checks.correctness import EXPECTED, overlap
from assay.checks.scorer import Graded, Scorer, Subject


def wrong_abstention(subject: Subject) -> Graded | None:
    """Whether the answer abstains although an answer is expected.

    ``None`` if the question has no expected answer.

    >>> subject = Subject(
    ...     job="ablation",
    ...     question_id="1",
    ...     question="How long?",
    ...     answer="The document does not say.",
    ...     row={"expected_answer": ["Thirty days"]},
    ... )
    >>> wrong_abstention(subject).value
    True
    """
    found = overlap(subject)
    return None if found is None else found.abstention


SCORER: Final = Scorer(
    name="wrong_abstention",
    function=wrong_abstention,
    title="Abstained although answerable",
    title_zh="有答案却拒答",
    title_ru="отказы при наличии ответа",
    kind="rate",
    better="lower",
    formula="1 if the answer abstains although an answer is expected, otherwise 0; such an answer is wrong by the other measures, unless it says the expected answer beside",
    undefined="the question has no expected answer",
    by_check=True,
    needs=(EXPECTED,),
)
