"""How many points the users of a service gave to the answer, where a log says so."""

from typing import Final

from assay.checks.scorer import RATING, Scorer, Subject


def user_rating(subject: Subject) -> float | None:
    """The points of the answer; ``None`` if it was not rated, or with good or bad.

    >>> row = {"rating": 4}
    >>> user_rating(Subject(job="ablation", question_id="1", question="?", answer="30", row=row))
    4.0
    """
    rating = subject.row.get(RATING)
    return None if rating is None or isinstance(rating, bool) else float(rating)


SCORER: Final = Scorer(
    name="user_rating",
    function=user_rating,
    title="Rating by users",
    title_zh="用户评分",
    title_ru="оценка пользователей",
    unit="points",
    formula="the points that the log says",
    undefined="nobody rated the answer with a number",
    needs=(RATING,),
)
