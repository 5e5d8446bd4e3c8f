"""Whether the answer abstains, where nobody says whether it should."""

from typing import Final

from assay.checks.scorer import DESCRIBED, Graded, Scorer, Subject


def abstained(subject: Subject) -> Graded | None:
    """Whether the answer says that the documents do not tell, or declines to answer.

    ``None`` if the answer is empty.

    >>> subject = Subject(
    ...     job="ablation", question_id="1", question="How long?", answer="The document does not say."
    ... )
    >>> abstained(subject).value
    True
    """
    from assay.checks.abstention import assess_abstention  # noqa: PLC0415 - word lists, which lists of metrics do without

    if not subject.answer.strip():
        return None
    found = assess_abstention(subject.answer, subject.question)
    unsure = found.outcome == "unsure"
    return Graded(
        value=found.leans_abstaining,
        at_least=0.0 if unsure else None,
        at_most=1.0 if unsure else None,
    )


SCORER: Final = Scorer(
    name="abstained",
    function=abstained,
    title="Abstained",
    title_zh="拒答",
    title_ru="отказы от ответа",
    kind="rate",
    better="lower",
    formula="1 if the answer says that the documents do not tell, or declines to answer, otherwise 0; whether it should have is not known",
    undefined="the answer is empty",
    by_check=True,
    needs=(DESCRIBED,),
)
