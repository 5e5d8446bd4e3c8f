"""Whether the system answered although it had retrieved nothing."""

from typing import Final

from assay.checks.scorer import DESCRIBED, Scorer, Subject


def without_passages(subject: Subject) -> bool | None:
    """Whether nothing was retrieved for the answer; ``None`` if that is not known.

    >>> subject = Subject(job="ablation", question_id="1", question="How long?", answer="30 days.")
    >>> without_passages(subject)
    True
    """
    return None if subject.row.get("passages_known") is False else not subject.passages


SCORER: Final = Scorer(
    name="without_passages",
    function=without_passages,
    title="Without any passage",
    title_zh="无检索段落",
    title_ru="без найденных фрагментов",
    kind="rate",
    better="lower",
    formula="1 if nothing was retrieved, otherwise 0",
    undefined="the reply does not say what was retrieved",
    needs=(DESCRIBED,),
)
