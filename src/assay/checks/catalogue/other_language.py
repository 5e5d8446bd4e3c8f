"""Whether the answer is in another language than the question."""

from typing import Final

from assay.checks.scorer import DESCRIBED, Scorer, Subject

_LEAST: Final = 12
"""An answer with fewer letters may be a name or a unit, which have no language of their own."""


def other_language(subject: Subject) -> bool | None:
    """Whether the scripts of question and answer differ.

    ``None`` if the answer has hardly any letters, or the question none.

    >>> subject = Subject(
    ...     job="ablation", question_id="1", question="Сколько дней?", answer="It is thirty days long."
    ... )
    >>> other_language(subject)
    True
    """
    from assay.text.language import language  # noqa: PLC0415 - metrics are listed without it

    letters = sum(map(str.isalpha, subject.answer))
    if letters < _LEAST or not any(map(str.isalpha, subject.question)):
        return None
    return language(subject.answer) != language(subject.question)


SCORER: Final = Scorer(
    name="other_language",
    function=other_language,
    title="In another language",
    title_zh="语言与问题不同",
    title_ru="на другом языке",
    kind="rate",
    better="lower",
    formula="1 if the answer is in another script than the question (Chinese, Cyrillic, Latin), otherwise 0",
    undefined="the answer has fewer than 12 letters",
    needs=(DESCRIBED,),
)
