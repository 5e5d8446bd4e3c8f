"""Whether the answer states a figure that no passage has."""

from typing import Final

from assay.checks.scorer import DESCRIBED, Graded, Scorer, Subject, quoted_list


def unsupported_figure(subject: Subject) -> Graded | None:
    """Whether a number, date, time or code of the answer is in no passage and not in the question.

    ``None`` if the answer states none, or the texts of the passages are not known.

    >>> from assay.records import Passage
    >>> subject = Subject(
    ...     job="ablation", question_id="1", question="How long?", answer="30 days, or 45 in May.",
    ...     passages=(Passage(id="a", text="Notice is given thirty days ahead."),),
    ... )
    >>> unsupported_figure(subject).why
    '“45”'
    """
    from assay.checks.invention import figures  # noqa: PLC0415 - word lists, which lists of metrics do without

    texts = [passage.text for passage in subject.passages if passage.text]
    stated = figures(subject.answer, [*texts, subject.question]) if texts else []
    if not stated:
        return None
    unknown = [text for text, is_known in stated if not is_known]
    return Graded(value=bool(unknown), why=quoted_list(unknown))


SCORER: Final = Scorer(
    name="unsupported_figure",
    function=unsupported_figure,
    title="Figure in no passage",
    title_zh="数字无出处",
    title_ru="число, которого нет во фрагментах",
    kind="rate",
    better="lower",
    formula="1 if a number, date, time, code or internet address of the answer is neither in a passage nor in the question in any notation, otherwise 0",
    undefined="the answer states none, or the texts of the passages are not known",
    by_check=True,
    needs=(DESCRIBED,),
)
