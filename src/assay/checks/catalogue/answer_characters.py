"""How long the answer is."""

from typing import Final

from assay.checks.scorer import DESCRIBED, Scorer, Subject


def answer_characters(subject: Subject) -> int | None:
    """The number of characters of the answer; ``None`` if it is empty.

    >>> answer_characters(Subject(job="ablation", question_id="1", question="?", answer=" 30 days. "))
    8
    """
    return len(subject.answer.strip()) or None


SCORER: Final = Scorer(
    name="answer_characters",
    function=answer_characters,
    title="Median length",
    title_zh="长度中位数",
    title_ru="медиана длины",
    kind="p50",
    better=None,
    unit="chars",
    formula="the characters of the answer, without the thoughts of the model",
    undefined="the answer is empty",
    needs=(DESCRIBED,),
)
