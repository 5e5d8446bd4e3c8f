"""The passages that an answer cites: as a list of citations, by number or by page."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from assay.errors import SystemFailed
from assay.records import Answer, Passage
from assay.scorers.legal import BenchAnswer, CitedPassage, stands_in
from assay.text import extract_citation_numbers, extract_page_numbers, sentences, without_citations

CITATIONS: Final = "citations"
"""The key of ``Answer.extra`` whose value is the system's own list of citations."""


def bench_answer(answer: Answer) -> BenchAnswer:
    """The answer in the form that the scorers of the benchmark use.

    If the system gives a list of citations, this list is used. Otherwise the citations are the
    passages that the text names by number. If it names none by number, they are the passages
    on the pages that it names: those that the text quotes, or the best one of the page if it
    quotes none.

    >>> passage = Passage(id="a", text="It is £5.", page=3)
    >>> bench_answer(Answer(text="It is £5 [1].", passages=(passage,))).citations
    (CitedPassage(page=3, text='It is £5.'),)
    >>> bench_answer(Answer(text="£5", extra={"citations": [{"page": 2}]})).citations
    (CitedPassage(page=2, text=None),)
    """
    listed = answer.extra.get(CITATIONS)
    if listed is not None:
        return BenchAnswer(text=answer.text, citations=read_citations(listed))
    passages = _passages_cited_by_number(answer) or _passages_cited_by_page(answer)
    cited = [CitedPassage(page=passage.page, text=passage.text or None) for passage in passages]
    return BenchAnswer(text=answer.text, citations=tuple(dict.fromkeys(cited)))


def with_citations(reply: Any) -> Any:
    """The reply with its ``citations`` copied to ``extra``, where ``bench_answer`` reads them.

    A reply that is not a mapping, or has no citations, is returned unchanged.

    >>> with_citations({"answer": "5", "citations": [{"page": 2}]})["extra"]
    {'citations': [{'page': 2}]}
    """
    if not isinstance(reply, Mapping) or reply.get(CITATIONS) is None:
        return reply
    return {**reply, "extra": {**(reply.get("extra") or {}), CITATIONS: reply[CITATIONS]}}


def read_citations(citations: Any) -> tuple[CitedPassage, ...]:
    """The citations of a reply: a list of ``{"page", "text"}`` objects, texts or page numbers.

    Raises:
        SystemFailed: The reply has something else there.

    >>> read_citations([{"page": 2, "text": "in all"}, "three payments", 4])[1:]
    (CitedPassage(page=None, text='three payments'), CitedPassage(page=4, text=None))
    """
    if isinstance(citations, str | Mapping) or not isinstance(citations, Sequence):
        kind = type(citations).__name__
        raise SystemFailed(f"the citations of the reply are of type {kind}, not a list")
    return tuple(_citation(citation) for citation in citations)


def _citation(citation: Any) -> CitedPassage:
    if isinstance(citation, CitedPassage):
        return citation
    if isinstance(citation, str):
        return CitedPassage(text=citation)
    if isinstance(citation, int) and not isinstance(citation, bool):
        return CitedPassage(page=citation)
    if not isinstance(citation, Mapping):
        kind = type(citation).__name__
        raise SystemFailed(f"a citation of the reply is of type {kind}, not an object")
    try:
        fields = {"page": citation.get("page"), "text": citation.get("text")}
        return msgspec.convert(fields, CitedPassage, strict=False)
    except msgspec.ValidationError as error:
        raise SystemFailed(f"a citation of the reply cannot be read: {error}") from None


def _passages_cited_by_number(answer: Answer) -> list[Passage]:
    numbers, passages = extract_citation_numbers(answer.text), answer.passages or ()
    return [passages[number - 1] for number in numbers if 0 < number <= len(passages)]


def _passages_cited_by_page(answer: Answer) -> list[Passage]:
    text = without_citations(answer.text, pages=True)
    quotes = [span.of(text) for span in sentences(text)]
    passages = answer.passages or ()
    cited: list[Passage] = []
    for page in extract_page_numbers(answer.text):
        on_page = [passage for passage in passages if passage.page == page]
        quoted = [
            passage
            for passage in on_page
            if any(stands_in(quote, passage.text) for quote in quotes)
        ]
        on_page.sort(key=lambda passage: passage.rank or len(passages))
        cited += quoted or on_page[:1]
    return cited
