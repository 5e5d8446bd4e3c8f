"""What an answer cost, where a log says so."""

from typing import Final

from assay.checks.scorer import LOGGED_COST, Scorer, Subject


def answer_cost(subject: Subject) -> float | None:
    """The money that the log says the answer cost, in the currency of the log.

    >>> row = {"logged_cost": 0.002}
    >>> answer_cost(Subject(job="ablation", question_id="1", question="?", answer="30", row=row))
    0.002
    """
    cost = subject.row.get(LOGGED_COST)
    return None if cost is None else float(cost)


SCORER: Final = Scorer(
    name="answer_cost",
    function=answer_cost,
    title="Cost of an answer",
    title_zh="单次回答成本",
    title_ru="цена ответа",
    better="lower",
    unit="money",
    formula="the cost in the log, in its currency",
    undefined="the log does not say what the answer cost",
    needs=(LOGGED_COST,),
)
