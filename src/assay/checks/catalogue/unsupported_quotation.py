"""Whether the answer quotes what no passage says."""

from typing import Final

from assay.checks.scorer import DESCRIBED, Graded, Scorer, Subject, quoted_list


def unsupported_quotation(subject: Subject) -> Graded | None:
    """Whether a quotation of the answer is in no passage and not in the question.

    ``None`` if the answer quotes nothing, or the texts of the passages are not known.

    >>> from assay.records import Passage
    >>> subject = Subject(
    ...     job="ablation", question_id="1", question="How long?",
    ...     answer="It says “notice is given twenty days ahead”.",
    ...     passages=(Passage(id="a", text="Notice is given thirty days ahead."),),
    ... )
    >>> unsupported_quotation(subject).value
    True
    """
    from assay.checks.quotation import quotations, verify_quotation  # noqa: PLC0415 - word lists, which lists of metrics do without

    texts = [passage.text for passage in subject.passages if passage.text]
    quoted = quotations(subject.answer) if texts else []
    if not quoted:
        return None
    source = "\n\n".join((*texts, subject.question))
    unknown = [text for text in quoted if not verify_quotation(text, source).valid]
    return Graded(value=bool(unknown), why=quoted_list(unknown))


SCORER: Final = Scorer(
    name="unsupported_quotation",
    function=unsupported_quotation,
    title="Quotation in no passage",
    title_zh="引文无出处",
    title_ru="цитата, которой нет во фрагментах",
    kind="rate",
    better="lower",
    formula="1 if a quotation of at least four words is neither in a passage nor in the question, or says something else there, otherwise 0",
    undefined="the answer quotes nothing, or the texts of the passages are not known",
    by_check=True,
    needs=(DESCRIBED,),
)
