"""How many tokens the answer shares with an accepted answer, with Chinese cut into words."""

from typing import Final

from assay.checks.correctness import EXPECTED, overlap
from assay.checks.scorer import Scorer, Subject


def word_f1(subject: Subject) -> float | None:
    """How many tokens the answer shares with an accepted answer, with Chinese cut into words.

    ``None`` if the question has no expected answer; or neither it nor the question has Chinese characters.

    >>> subject = Subject(
    ...     job="ablation",
    ...     question_id="1",
    ...     question="How long?",
    ...     answer="应在三十日内",
    ...     row={"expected_answer": ["三十日内"]},
    ... )
    >>> word_f1(subject)
    0.6666666666666666
    """
    found = overlap(subject)
    return None if found is None else found.word_f1


SCORER: Final = Scorer(
    name="word_f1",
    function=word_f1,
    title="Answer F1 by words",
    title_zh="答案词级F1",
    title_ru="F1 ответа по словам",
    kind="mean",
    better="higher",
    formula="the same with Chinese cut into words",
    undefined="the question has no expected answer; or neither it nor the question has Chinese characters",
    by_check=True,
    needs=(EXPECTED,),
)
