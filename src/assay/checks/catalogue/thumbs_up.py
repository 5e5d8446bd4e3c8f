"""Whether the users of a service liked the answer, where a log says so."""

from typing import Final

from assay.checks.scorer import RATING, Scorer, Subject


def thumbs_up(subject: Subject) -> bool | None:
    """Whether the answer was rated good; ``None`` if it was not rated, or with a number.

    >>> row = {"rating": True}
    >>> thumbs_up(Subject(job="ablation", question_id="1", question="?", answer="30", row=row))
    True
    """
    rating = subject.row.get(RATING)
    return rating if isinstance(rating, bool) else None


SCORER: Final = Scorer(
    name="thumbs_up",
    function=thumbs_up,
    title="Rated good by users",
    title_zh="用户好评",
    title_ru="положительные отзывы",
    kind="rate",
    formula="1 if the log says that the answer was rated good, 0 if it was rated bad",
    undefined="nobody rated the answer with good or bad",
    needs=(RATING,),
)
