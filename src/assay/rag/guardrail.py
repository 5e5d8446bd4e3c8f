"""The strict check of an answer: it cites the passages it was given, or it is replaced."""

from collections.abc import Collection

from assay.text import NO_MENTION, Language, citations_ok, extract_citation_numbers

__all__ = ["enforce_strict_answer", "extract_citation_numbers"]


def enforce_strict_answer(
    text: str,
    passages_count: int,
    language: Language,
    *,
    pages: Collection[int] | None = None,
) -> tuple[str, bool]:
    """The answer to return, and whether the citations of ``text`` are correct.

    If they are correct, or ``text`` says that the document does not mention it, the answer is
    ``text``. Otherwise it is the no-mention answer in ``language``. ``assay.text.citations_ok``
    defines which citations are correct.

    >>> enforce_strict_answer("Thirty days [1].", 2, "en")
    ('Thirty days [1].', True)
    >>> enforce_strict_answer("Thirty days [3].", 2, "en")
    ('The document does not mention this', False)
    """
    if citations_ok(text, passages_count, pages=pages):
        return text, True
    return NO_MENTION[language], False
